import { useState } from "react";

import { NameForm } from "./NameForm";
import { errorTexts, useInvalidateHousehold } from "./queries";
import { useAddChild, useGetHousehold } from "../api/generated/client/household/household";
import { errorMessage } from "../api/problem";
import { QueryView } from "../api/QueryView";
import { atRelativeTime } from "../format/dates";
import { RetentionField, retentionIn } from "../identity/RetentionField";
import { Button } from "../ui/Button";
import { Skeleton } from "../ui/Skeleton";

/** The page of a guardian without a child. It redirects once there is one. */
export function WithoutChild() {
  const household = useGetHousehold();
  return (
    <div className="flex flex-col gap-4">
      <QueryView
        query={household}
        loading={{ sentence: "Loading what you can do...", skeleton: <Skeleton shapes={["h-11"]} /> }}
        errorText={errorTexts.load}
      >
        {({ data }) => (
          <>
            {data.accepted_invitation_at !== undefined && (
              <PendingInvitation acceptedAt={data.accepted_invitation_at} />
            )}
            {data.guardians_manage ? (
              <AddChild />
            ) : (
              <p className="max-w-[60ch] text-muted">
                On this server, the person who set it up adds children and connects assistants.
              </p>
            )}
          </>
        )}
      </QueryView>
    </div>
  );
}

/** An accepted invitation that the child's other guardians have not confirmed. */
function PendingInvitation({ acceptedAt }: { acceptedAt: string }) {
  return (
    <p className="max-w-[60ch] rounded-control bg-lamp-glow px-4 py-3">
      You accepted an invitation {atRelativeTime(acceptedAt, new Date())}. You see the child once its other
      guardians have agreed, or when they have not objected for seven days.
    </p>
  );
}

function AddChild() {
  const [asking, setAsking] = useState(false);
  const invalidateHousehold = useInvalidateHousehold();
  const add = useAddChild({ mutation: { onSuccess: invalidateHousehold } });
  if (!asking) {
    return (
      <Button className="self-start" onClick={() => setAsking(true)}>
        Add a child
      </Button>
    );
  }
  return (
    <NameForm
      label="The new child's name"
      action="Add child"
      busy={add.isPending}
      refusal={add.error === null ? null : errorMessage(add.error, "The name could not be saved.")}
      onName={(name, typed) => add.mutate({ data: { name, ...retentionIn(typed) } })}
      onCancel={() => {
        add.reset();
        setAsking(false);
      }}
    >
      <RetentionField label="How long to keep conversations" />
    </NameForm>
  );
}
