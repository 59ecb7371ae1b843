import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { NameForm } from "./NameForm";
import { useInvalidateHousehold } from "./queries";
import { useAddChild } from "../api/generated/client/household/household";
import { failureSentence } from "../api/problem";
import { NO_PROFILE, ProfileFields, readProfile } from "../identity/ProfileFields";
import { RetentionField, retentionIn } from "../identity/RetentionField";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { useFocusAfterForm } from "../ui/focus";

/** `look` is the button's. */
export function AddChild({ look }: { look: "primary" | "plain" }) {
  const [asking, setAsking] = useState(false);
  const [profile, setProfile] = useState(NO_PROFILE);
  const [refusal, setRefusal] = useState<string | null>(null);
  const invalidateHousehold = useInvalidateHousehold();
  const add = useAddChild({
    mutation: {
      onSuccess: async () => {
        await invalidateHousehold();
        setAsking(false);
      },
    },
  });
  const ask = (asks: boolean) => {
    add.reset();
    setProfile(NO_PROFILE);
    setRefusal(null);
    setAsking(asks);
  };
  const submit = (name: string, typed: FormData) => {
    const read = readProfile(profile);
    setRefusal("refusal" in read ? read.refusal : null);
    if ("refusal" in read) return;
    add.mutate({ data: { name, ...retentionIn(typed), ...read.profile } });
  };
  const area = useFocusAfterForm<HTMLDivElement>(asking ? "add" : null);
  return (
    <div ref={area} className="flex flex-col items-start gap-3">
      {asking ? (
        <NameForm
          label={t`Your child's name`}
          action={t`Add a child`}
          busy={add.isPending}
          refusal={refusal ?? failureSentence(add.error)}
          onName={submit}
          onCancel={() => ask(false)}
        >
          <ProfileFields
            child=""
            typed={profile}
            onChange={(edited) => setProfile({ ...profile, ...edited })}
          />
          <RetentionField label={t`How long conversations are kept`} />
        </NameForm>
      ) : (
        <Button look={look} data-opens="add" onClick={() => ask(true)}>
          <Trans>Add a child</Trans>
        </Button>
      )}
      {add.isSuccess && (
        <Alert kind="success">
          <Trans>Added {{ name: add.data.data.name }}.</Trans>
        </Alert>
      )}
    </div>
  );
}
