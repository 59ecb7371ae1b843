import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import type { EditingAction } from "./editing";
import { Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { TextField } from "../ui/TextField";

interface AddTopicProps {
  draft: string;
  saving: boolean;
  dispatch: (action: EditingAction) => void;
}

/** Adds a typed topic. During a save the input is read-only but keeps the focus. */
export function AddTopic({ draft, saving, dispatch }: AddTopicProps) {
  return (
    <Form
      onSubmit={() => {
        dispatch({ kind: "add" });
      }}
      className="flex flex-col gap-2 sm:flex-row sm:items-end"
    >
      <div className="min-w-0 flex-1">
        <TextField
          label={t`A topic of your own`}
          placeholder={t`Enter custom topic to block...`}
          value={draft}
          onChange={(event) => dispatch({ kind: "type", text: event.target.value })}
          readOnly={saving}
          aria-disabled={saving}
          dir="auto"
          autoComplete="off"
          enterKeyHint="done"
          className="transition-colors aria-disabled:bg-quiet aria-disabled:text-muted aria-disabled:delay-200"
        />
      </div>
      <Button type="submit" disabled={draft.trim() === ""} busy={saving} busyLabel={t`Adding...`}>
        <Trans>Add Topic</Trans>
      </Button>
    </Form>
  );
}
