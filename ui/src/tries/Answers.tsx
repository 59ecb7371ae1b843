import { t } from "@lingui/core/macro";
import { type Ref, useState } from "react";

import { AnswerItem } from "./AnswerItem";
import type { Answer } from "./sentences";
import type { Child } from "../children/children";
import { Section } from "../ui/Section";

interface AnswersProps {
  child: Child;
  tryId: number;
  /** Worst first. */
  answers: readonly Answer[];
  ref: Ref<HTMLElement>;
}

/** Each question with its answer. */
export function Answers({ child, tryId, answers, ref }: AnswersProps) {
  // A verdict moves nothing under the finger: the order stays until the page is opened again.
  const [order] = useState(() => answers.map(({ n }) => n));
  const place = ({ n }: Answer) => (order.includes(n) ? order.indexOf(n) : order.length);
  const sorted = [...answers].sort((one, other) => place(one) - place(other));
  return (
    <Section
      ref={ref}
      heading={t`Read the answers`}
      headingRef={() => {}}
      about={t`What looks worst comes first. What you mark is a note for yourself: it changes nothing in the assistant.`}
      className="flex max-w-[65ch] flex-col gap-3"
    >
      <ol className="flex flex-col divide-y divide-line border-y border-line">
        {sorted.map((answer) => (
          <AnswerItem key={answer.n} child={child} tryId={tryId} answer={answer} />
        ))}
      </ol>
    </Section>
  );
}
