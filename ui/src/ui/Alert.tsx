import { CheckIcon, CircleAlertIcon } from "lucide-react";
import type { ReactNode } from "react";

/** An error, a warning or a success, announced to screen readers. */
export function Alert({ kind, children }: { kind: "error" | "warning" | "success"; children: ReactNode }) {
  const failed = kind === "error";
  return (
    <div
      role={failed ? "alert" : "status"}
      className={`appear flex items-start gap-3 rounded-control border px-4 py-3 [overflow-wrap:anywhere] ${
        failed ? "border-danger bg-surface text-danger" : "border-transparent bg-lamp-glow text-ink"
      }`}
    >
      {kind === "success" ? <CheckIcon /> : <CircleAlertIcon />}
      <div className="min-w-0">{children}</div>
    </div>
  );
}
