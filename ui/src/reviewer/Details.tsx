import { FiguresTable } from "./FiguresTable";
import type { Reviewer } from "./words";
import type { Child } from "../children/children";
import { Disclosure } from "../ui/Disclosure";

interface DetailsProps {
  child: Child;
  reviewer: Reviewer;
}

/** What is sent when, who decides, and the figures of the test. */
export function Details({ child, reviewer: { figures } }: DetailsProps) {
  return (
    <Disclosure summary="Details" className="max-w-[65ch] border-y border-line">
      <div className="flex flex-col gap-3 pb-4">
        <p>
          Each conversation is sent when it has ended, and every 30 minutes of a long one, with the topics
          that you block. Earlier and deleted conversations are not sent.
        </p>
        <p>
          Any guardian of <bdi>{child.name}</bdi> can switch it off at once. If the AI or its server changes,
          it switches off.
        </p>
        {figures !== undefined && <FiguresTable figures={figures} />}
      </div>
    </Disclosure>
  );
}
