import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import type { FeedbackPanel } from "./feedback";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { Form } from "../ui/Form";

/** In characters, as openapi.yaml limits it. */
const MAX_REASON = 2000;

interface FeedbackFormProps {
  id: string;
  panel: Exclude<FeedbackPanel, { kind: "closed" }>;
  /** Whether any submission is running. */
  sending: boolean;
  onType: (reason: string) => void;
  onSubmit: () => void;
  onCancel: () => void;
}

/** An optional reason, and below it the last failure. During the submission the form is read-only but keeps the focus. */
export function FeedbackForm({ id, panel, sending, onType, onSubmit, onCancel }: FeedbackFormProps) {
  const busy = panel.kind === "submitting";
  return (
    <div id={id} className="appear flex flex-col gap-3 pt-4">
      <Form
        onSubmit={() => {
          onSubmit();
        }}
        className="flex flex-col gap-3 border-t border-line pt-4"
      >
        <label htmlFor={`${id}-reason`} className="text-sm font-bold">
          <Trans>Your reason</Trans>
        </label>
        <textarea
          id={`${id}-reason`}
          dir="auto"
          rows={3}
          maxLength={MAX_REASON}
          placeholder={t`Optional: Why did you like/dislike this suggestion?`}
          value={panel.reason}
          readOnly={busy}
          onChange={(event) => onType(event.target.value)}
          className="-mt-1.5 w-full rounded-control border border-edge bg-surface px-3.5 py-2.5 text-base placeholder:text-muted read-only:border-line read-only:bg-quiet read-only:text-muted"
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" disabled={sending} busy={busy} busyLabel={t`Submitting...`}>
            <Trans>Submit</Trans>
          </Button>
          <Button look="quiet" disabled={busy} onClick={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
      </Form>
      {panel.kind === "open" && panel.failure !== null && <Alert kind="error">{panel.failure}</Alert>}
    </div>
  );
}
