import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useId, useState } from "react";

import type { TimesAction } from "../schedule/queries";
import { minutesIn } from "../schedule/schedule";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { isChanged, usePageState } from "../ui/page-state";
import { TextField } from "../ui/TextField";

interface MinutesFormProps {
  childId: number;
  /** Its heading's id. */
  heading: string;
  /** Null when there is no limit. */
  minutes: number | null;
  /** The minutes used today, as text. */
  used: string;
  saving: boolean;
  /** Says so once a change made here is saved. */
  saved: ReactNode;
  dispatch: (action: TimesAction) => void;
}

export function MinutesForm({ childId, heading, minutes, used, saving, saved, dispatch }: MinutesFormProps) {
  const help = useId();
  const { state: draft, write } = usePageState<string | null>(`minutes a day of ${childId}`, null, isChanged);
  const [refusal, setRefusal] = useState<string | null>(null);
  const present = minutes === null ? "" : String(minutes);
  const text = draft ?? present;
  return (
    <Form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={() => {
        const read = minutesIn(text);
        if ("refusal" in read) return setRefusal(read.refusal);
        write(null);
        dispatch({ kind: "change", change: { kind: "set minutes", minutes: read.minutes } });
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <div className="w-32">
          <TextField
            label={t`Minutes`}
            inputMode="numeric"
            autoComplete="off"
            placeholder={t`No limit`}
            value={text}
            aria-describedby={help}
            aria-invalid={refusal !== null}
            onChange={({ target }) => {
              setRefusal(null);
              write(target.value === present ? null : target.value);
            }}
          />
        </div>
        <Button type="submit" look="plain" about={heading} disabled={draft === null || saving}>
          <Trans>Save</Trans>
        </Button>
        {saved}
      </div>
      {refusal !== null && <Alert kind="error">{refusal}</Alert>}
      <p id={help} className="text-sm text-muted">
        {used}
      </p>
    </Form>
  );
}
