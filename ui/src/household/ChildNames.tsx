import { useState } from "react";

import { NameForm } from "./NameForm";
import { useInvalidateHousehold } from "./queries";
import { useAddChild, useRenameChild } from "../api/generated/client/household/household";
import { errorMessage } from "../api/problem";
import type { Child } from "../children/children";
import { RetentionField, retentionIn } from "../identity/RetentionField";
import { Alert } from "../ui/Alert";
import { Button } from "../ui/Button";
import { useFocusAfterForm } from "../ui/focus";

/** Renames the child, and adds a child. */
export function ChildNames({ child }: { child: Child }) {
  const [asking, setAsking] = useState<"rename" | "add" | null>(null);
  const invalidateHousehold = useInvalidateHousehold();
  const onSuccess = async () => {
    await invalidateHousehold();
    setAsking(null);
  };
  const rename = useRenameChild({ mutation: { onSuccess } });
  const add = useAddChild({ mutation: { onSuccess } });
  const ask = (what: "rename" | "add" | null) => {
    rename.reset();
    add.reset();
    setAsking(what);
  };
  const area = useFocusAfterForm<HTMLDivElement>(asking);
  if (asking === "rename") {
    return (
      <NameForm
        key="rename"
        label={`What ${child.name} is called`}
        defaultValue={child.name}
        action="Save name"
        busy={rename.isPending}
        refusal={refusalOf(rename.error)}
        onName={(name) => rename.mutate({ childId: child.child_id, data: { name } })}
        onCancel={() => ask(null)}
      />
    );
  }
  if (asking === "add") {
    return (
      <NameForm
        key="add"
        label="The new child's name"
        action="Add child"
        busy={add.isPending}
        refusal={refusalOf(add.error)}
        onName={(name, typed) => add.mutate({ data: { name, ...retentionIn(typed) } })}
        onCancel={() => ask(null)}
      >
        <RetentionField label="How long to keep conversations" />
      </NameForm>
    );
  }
  return (
    <div ref={area} className="flex flex-col gap-3">
      {add.isSuccess && (
        <Alert kind="success">
          Added {add.data.data.name}. Choose the name at the top to see {add.data.data.name}'s pages.
        </Alert>
      )}
      {rename.isSuccess && <Alert kind="success">The name is saved.</Alert>}
      <div className="flex flex-wrap gap-3">
        <Button look="plain" data-opens="rename" onClick={() => ask("rename")}>
          Rename {child.name}
        </Button>
        <Button look="plain" data-opens="add" onClick={() => ask("add")}>
          Add a child
        </Button>
      </div>
    </div>
  );
}

function refusalOf(error: Error | null): string | null {
  return error === null ? null : errorMessage(error, "The name could not be saved.");
}
