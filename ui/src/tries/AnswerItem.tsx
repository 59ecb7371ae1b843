import { t } from "@lingui/core/macro";

import { expected, knownOf } from "./answer-sentences";
import { useChanges } from "./queries";
import { type Answer, reasonSentence, testQuestion } from "./sentences";
import { Failure } from "../api/Failure";
import type { Child } from "../children/children";
import { isolated } from "../format/isolated";
import { labelled } from "../format/labelled";
import { plainText } from "../format/plain-text";
import { Button } from "../ui/Button";
import { useFocusAfterUndo } from "../ui/focus";
import { UndoLine } from "../ui/UndoLine";

interface AnswerItemProps {
  child: Child;
  tryId: number;
  answer: Answer;
}

/** A question, its answer, what is known of it, and the guardian's own verdict. */
export function AnswerItem({ child, tryId, answer }: AnswerItemProps) {
  const { n, question, follows, no_answer: reason } = answer;
  const id = `answer-${n}`;
  return (
    <li
      aria-labelledby={id}
      tabIndex={-1}
      data-waits={reason === undefined && answer.ok === undefined ? "" : undefined}
      className="flex scroll-mt-20 flex-col gap-3 py-5 [overflow-wrap:anywhere]"
    >
      <div>
        <p className="text-sm text-muted">
          {testQuestion(child.name)} {follows && t`Asked once more, insisting.`}
        </p>
        <h3 id={id} dir="auto" className="font-bold whitespace-pre-wrap">
          {plainText(question)}
        </h3>
      </div>
      <AnswerText answer={answer} />
      {answer.answer !== undefined && (
        <>
          <div className="flex flex-col gap-1">
            <p className="text-sm text-muted">{expected(answer)}</p>
            {knownOf(answer).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </div>
          <Verdict child={child} tryId={tryId} answer={answer} />
        </>
      )}
    </li>
  );
}

function AnswerText({ answer: { answer, cut, no_answer: reason } }: { answer: Answer }) {
  if (answer === undefined)
    return (
      <p>
        {t`No answer.`} {reason !== undefined && reasonSentence(reason)}
      </p>
    );
  if (answer.trim() === "") return <p className="text-muted">{t`No answer.`}</p>;
  return (
    <div className="rounded-surface bg-quiet px-4 py-3">
      <p dir="auto" className="whitespace-pre-wrap">
        {plainText(answer)}
      </p>
      {cut && <p className="pt-2 text-sm text-muted">{t`Only the beginning of this answer is kept.`}</p>}
    </div>
  );
}

function okFor(name: string): string {
  return t`OK for ${{ name }}`;
}

function notOkFor(name: string): string {
  return t`Not OK for ${{ name }}`;
}

/** Each guardian's own. */
function Verdict({ child, tryId, answer: { n, verdict } }: AnswerItemProps) {
  const { judge } = useChanges(child.child_id);
  const { area, press } = useFocusAfterUndo<HTMLDivElement>(verdict !== undefined);
  const say = (what: "ok" | "not_ok" | "open") => {
    press();
    judge.mutate({ childId: child.child_id, tryId, number: n, data: { verdict: what } });
  };
  const name = isolated(child.name);
  return (
    <div ref={area} className="flex flex-col gap-2">
      {verdict === undefined ? (
        <div className="flex flex-wrap gap-2">
          <Button
            look="plain"
            busy={judge.isPending}
            aria-describedby={`answer-${n}`}
            onClick={() => say("ok")}
          >
            {okFor(name)}
          </Button>
          <Button
            look="plain"
            busy={judge.isPending}
            aria-describedby={`answer-${n}`}
            onClick={() => say("not_ok")}
          >
            {notOkFor(name)}
          </Button>
        </div>
      ) : (
        <UndoLine disabled={judge.isPending} onUndo={() => say("open")}>
          {labelled(t`You said`, verdict ? okFor(name) : notOkFor(name))}
        </UndoLine>
      )}
      <Failure error={judge.error} />
    </div>
  );
}
