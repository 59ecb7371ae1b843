import { t } from "@lingui/core/macro";

interface QrCodeProps {
  /** From the top: `1` is dark, `0` is light. */
  rows: readonly string[];
}

/** The border of light modules that ISO/IEC 18004 asks for. */
const BORDER = 4;

/** Black on white in every theme, because scanners expect that. */
export function QrCode({ rows }: QrCodeProps) {
  const size = rows.length + 2 * BORDER;
  const dark = rows.flatMap((row, y) =>
    row.split("").flatMap((module, x) => (module === "1" ? [`M${x + BORDER} ${y + BORDER}h1v1h-1z`] : [])),
  );
  return (
    <svg
      role="img"
      aria-label={t`QR code`}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full max-w-64 rounded-control border border-line forced-color-adjust-none"
    >
      <rect width={size} height={size} fill="white" />
      <path d={dark.join("")} fill="black" />
    </svg>
  );
}
