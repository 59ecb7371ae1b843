import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { NameForm } from "./NameForm";
import { useInvalidateHousehold } from "./queries";
import { useRenameChild } from "../api/generated/client/household/household";
import { failureSentence } from "../api/problem";
import type { Child } from "../children/children";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { useFocusAfterForm } from "../ui/focus";

export function RenameChild({ child: { child_id: childId, name } }: { child: Child }) {
  const [asking, setAsking] = useState(false);
  const invalidateHousehold = useInvalidateHousehold();
  const rename = useRenameChild({
    mutation: {
      onSuccess: async () => {
        await invalidateHousehold();
        setAsking(false);
      },
    },
  });
  const ask = (asks: boolean) => {
    rename.reset();
    setAsking(asks);
  };
  const area = useFocusAfterForm<HTMLDivElement>(asking ? "rename" : null);
  return (
    <div ref={area} className="flex flex-wrap items-center gap-3">
      {asking ? (
        <NameForm
          label={t`Your child's name`}
          defaultValue={name}
          action={t`Save`}
          busy={rename.isPending}
          refusal={failureSentence(rename.error)}
          onName={(typed) => rename.mutate({ childId, data: { name: typed } })}
          onCancel={() => ask(false)}
        />
      ) : (
        <Button look="plain" data-opens="rename" onClick={() => ask(true)}>
          <Trans>Rename</Trans>
        </Button>
      )}
      {rename.isSuccess && (
        <Alert kind="success">
          <Trans>Saved.</Trans>
        </Alert>
      )}
    </div>
  );
}
