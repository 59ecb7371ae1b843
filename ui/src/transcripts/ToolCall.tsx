import { t } from "@lingui/core/macro";
import { WrenchIcon } from "lucide-react";

import { Folded } from "../ui/Folded";
import { Marked, type Part } from "../ui/Marked";

/** Longer calls are folded; in UTF-16 units. */
const LONGEST = 120;

interface ToolCallProps {
  parts: readonly Part[];
  isOpen: boolean;
}

/** A model's call of a tool, in a quiet line. Long arguments are folded under the tool's name. */
export function ToolCall({ parts, isOpen }: ToolCallProps) {
  const text = parts.map((part) => part.text).join("");
  const whole = (
    <p dir="auto" className="py-1 whitespace-pre-wrap [overflow-wrap:anywhere]">
      <Marked parts={parts} />
    </p>
  );
  return (
    <div className="flex max-w-full items-start gap-1.5 px-1 text-sm text-muted">
      {text.length <= LONGEST ? (
        <>
          <WrenchIcon className="mt-1.5 size-4 shrink-0" />
          {whole}
        </>
      ) : (
        <Folded summary={toolName(text)} isOpen={isOpen}>
          {whole}
        </Folded>
      )}
    </div>
  );
}

/** What is before the arguments. */
function toolName(text: string): string {
  const [name = ""] = text.split(/[\s{]/u, 1);
  return name === "" ? t`A tool was called` : name;
}
