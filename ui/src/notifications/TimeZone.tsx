import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { SaveFailure } from "./Choice";
import { useSave } from "./queries";
import { viewersZone, zoneName } from "../format/dates";
import { SavedNote } from "../schedule/SavedNote";
import { ZoneForm } from "../schedule/ZoneForm";

/** The guardian's own time zone, for quiet hours and the weekly e-mail. */
export function TimeZone({ timeZone }: { timeZone: string }) {
  const { save, isSaved } = useSave();
  const here = zoneName(viewersZone());
  return (
    <>
      <ZoneForm
        label={{ text: t`Time zone` }}
        timeZone={timeZone}
        saved={<SavedNote shown={isSaved} />}
        hint={
          here !== zoneName(timeZone) && (
            <p className="text-sm text-muted">
              <Trans>This device is in {here}.</Trans>
            </p>
          )
        }
        onSave={(chosen) => save.mutate({ kind: "time zone", timeZone: chosen })}
      />
      <SaveFailure save={save} />
    </>
  );
}
