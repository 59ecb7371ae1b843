import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId } from "react";

import { type Draft, type SavedContext, useContext } from "./queries";
import { Failure } from "../api/Failure";
import { useGetRules } from "../api/generated/client/rules/rules";
import { QueryView } from "../api/QueryView";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { pageLocale } from "../format/locale";
import { LongInstructions } from "../rules/LongInstructions";
import type { Editing, EditingAction } from "../rules/saved-edit";
import { sharedWith } from "../rules/shared-with";
import { Alert } from "../ui/Alert";
import { BUSY, Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { PageHeading } from "../ui/PageHeading";
import { Skeleton } from "../ui/Skeleton";
import { Disclosure } from "../ui/Disclosure";

/** In characters. */
const LONGEST = 4000;

export const ContextPage = childPage(msg`Context`, ChildContext);

function ChildContext({ child }: { child: Child }) {
  const { query, editing, dispatch } = useContext(child);
  const { name } = child;
  const heading = t`Context for ${name}`;
  return (
    <div className="flex flex-col gap-5">
      <PageHeading>{heading}</PageHeading>
      <QueryView query={query} loading={{ skeleton: contextSkeleton }}>
        {(saved) => (
          <>
            <Explanation name={name} guardians={saved.guardians} />
            <Editor saved={saved} editing={editing} dispatch={dispatch} />
            <div className="max-w-[68ch] empty:hidden">
              <LongInstructions childId={child.child_id} />
            </div>
            <Preview childId={child.child_id} />
          </>
        )}
      </QueryView>
    </div>
  );
}

function Explanation({ name, guardians }: { name: string; guardians: number }) {
  return (
    <div className="flex max-w-[68ch] flex-col gap-2">
      <p>
        <Trans>
          What the assistant should know when it talks with <bdi>{name}</bdi>: age, interests, worries, what
          to be careful with.
        </Trans>
      </p>
      <p className="text-sm text-muted">
        <Trans>
          The assistant is asked not to read it out to <bdi>{name}</bdi>. Leave out what the assistant&apos;s
          maker should not know.
        </Trans>{" "}
        {sharedWith(guardians)}
      </p>
    </div>
  );
}

interface EditorProps {
  saved: SavedContext;
  editing: Editing<Draft>;
  dispatch: (action: EditingAction<Draft>) => void;
}

function Editor({ saved, editing: { unsaved, status }, dispatch }: EditorProps) {
  const field = useId();
  const [draft] = unsaved;
  const { text, tag } = draft ?? saved;
  const saving = status.kind === "saving";
  const length = Array.from(text).length;
  const tooLong = length > LONGEST;
  const typed = length.toLocaleString(pageLocale());
  const most = LONGEST.toLocaleString(pageLocale());
  const conflict = tag !== saved.tag && !saving;
  const edit = (edited: string) =>
    dispatch({ kind: "draft", change: edited === saved.text ? null : { text: edited, tag } });
  const overwrite = () => {
    dispatch({ kind: "draft", change: { text, tag, overwrites: saved.tag } });
    dispatch({ kind: "save" });
  };
  return (
    <Form
      className="flex max-w-[68ch] flex-col gap-3"
      onSubmit={() => {
        dispatch({ kind: "save" });
      }}
    >
      <div className="flex flex-col gap-1.5">
        <label htmlFor={field} className="text-sm font-bold">
          <Trans>What should the assistant know?</Trans>
        </label>
        <textarea
          id={field}
          dir="auto"
          rows={8}
          value={text}
          readOnly={saving}
          aria-invalid={tooLong}
          aria-describedby={`${field}-length`}
          onChange={({ target }) => edit(target.value)}
          className="field-sizing-content min-h-48 w-full rounded-control border border-edge bg-surface px-3.5 py-2.5 text-base read-only:border-line read-only:bg-quiet read-only:text-muted"
        />
        <p
          id={`${field}-length`}
          className={`text-sm tabular-nums ${tooLong ? "text-danger" : "text-muted"}`}
        >
          {t`${typed} of ${most} characters`}
        </p>
      </div>
      {conflict && (
        <Alert kind="error">
          <p>
            <Trans>Somebody else changed this text meanwhile. Theirs is:</Trans>
          </p>
          <p dir="auto" className="my-2 border-s-2 border-current ps-3 whitespace-pre-wrap text-ink">
            {saved.text.trim() === "" ? t`(nothing)` : saved.text}
          </p>
        </Alert>
      )}
      {status.kind === "failed" && <Alert kind="error">{status.sentence}</Alert>}
      {status.kind === "saved" && (
        <Alert kind="success">
          <Trans>Saved.</Trans>
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        {conflict ? (
          <>
            <Button disabled={tooLong} onClick={overwrite}>
              <Trans>Save mine</Trans>
            </Button>
            <Button look="plain" onClick={() => dispatch({ kind: "discard" })}>
              <Trans>Take theirs</Trans>
            </Button>
          </>
        ) : (
          <Button type="submit" disabled={draft === undefined || tooLong} busy={saving} busyLabel={BUSY}>
            <Trans>Save</Trans>
          </Button>
        )}
      </div>
    </Form>
  );
}

/** The complete instructions that the assistant gets. */
function Preview({ childId }: { childId: number }) {
  const { data, error } = useGetRules(childId);
  const instructions = data?.data.instructions;
  return (
    <Disclosure summary={t`What the assistant is told`} isCard className="max-w-[68ch]">
      <div className="flex flex-col gap-3 border-t border-line px-4 py-3 text-sm">
        <p className="text-muted">
          <Trans>
            Assistants get it in English, and are asked to speak with the child in the child&apos;s own
            language.
          </Trans>
        </p>
        {error !== null && instructions === undefined && <Failure error={error} />}
        {instructions !== undefined && (
          <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {instructions}
          </p>
        )}
      </div>
    </Disclosure>
  );
}

const contextSkeleton = (
  <Skeleton shapes={["h-18 max-w-[68ch]", "h-48 max-w-[68ch]", "h-11 w-24"]} className="flex-col gap-6" />
);
