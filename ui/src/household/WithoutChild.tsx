import { useState } from "react";

import { NameForm } from "./NameForm";
import { householdSentence, useFetchAgain } from "./queries";
import { useAddChild, useGetHousehold } from "../api/generated/client/household/household";
import { sentenceOf } from "../api/problem";
import { QueryView } from "../api/QueryView";
import { Button } from "../ui/Button";
import { Skeleton } from "../ui/Skeleton";

/** What a guardian without a child can do. The page leaves by itself once there is one. */
export function WithoutChild() {
  const household = useGetHousehold();
  return (
    <QueryView
      query={household}
      loading={{ sentence: "Loading what you can do...", skeleton: <Skeleton shapes={["h-11"]} /> }}
      errorSentence={householdSentence}
    >
      {({ data }) =>
        data.guardians_manage ? (
          <AddChild />
        ) : (
          <p className="max-w-[60ch] text-muted">
            On this Porchlight, whoever runs it adds children and connects assistants.
          </p>
        )
      }
    </QueryView>
  );
}

function AddChild() {
  const [asking, setAsking] = useState(false);
  const fetchAgain = useFetchAgain();
  const add = useAddChild({ mutation: { onSuccess: fetchAgain } });
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
      refusal={add.error === null ? null : sentenceOf(add.error, "The name could not be saved.")}
      onName={(name) => add.mutate({ data: { name } })}
      onCancel={() => {
        add.reset();
        setAsking(false);
      }}
    />
  );
}
