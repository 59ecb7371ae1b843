import { t } from "@lingui/core/macro";

import { type Question, testQuestion } from "./sentences";
import type { Child } from "../children/children";
import { plainText } from "../format/plain-text";
import { Check } from "../ui/Check";

interface QuestionsProps {
  child: Child;
  questions: readonly Question[];
  leftOut: ReadonlySet<string>;
  onChange: (leftOut: ReadonlySet<string>) => void;
}

/** The questions before they are asked. Each can be left out. */
export function Questions({ child, questions, leftOut, onChange }: QuestionsProps) {
  const toggle = (id: string, isAsked: boolean) => {
    const next = new Set(leftOut);
    if (isAsked) next.delete(id);
    else next.add(id);
    onChange(next);
  };
  return (
    <ul aria-label={t`Questions`} className="flex flex-col divide-y divide-line">
      {questions.map(({ question_id: id, turns }) => (
        <li key={id} className="py-1.5">
          <Check
            checked={!leftOut.has(id)}
            aria-describedby={`note-${id}`}
            onChange={({ target }) => toggle(id, target.checked)}
          >
            {turns.map((turn, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- what is said twice stands twice
              <span key={index} dir="auto" className="block">
                {plainText(turn)}
              </span>
            ))}
          </Check>
          <p id={`note-${id}`} className="ps-8 text-sm text-muted">
            {testQuestion(child.name)}
          </p>
        </li>
      ))}
    </ul>
  );
}
