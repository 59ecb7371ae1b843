import { useState } from "react";

import { AppChildChoice } from "./AppChildChoice";
import { ChildChoice } from "./ChildChoice";
import { whoReads } from "./connections";
import { type ConnectedAssistant, useInvalidateHousehold } from "./queries";
import { whatGoesTo } from "./upstreams";
import { Failure } from "../api/Failure";
import { useConnectAssistant } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import type { Child } from "../children/children";
import { Button } from "../ui/Button";
import { SelectField } from "../ui/SelectField";
import { revealed } from "../ui/focus";
import { Form } from "../ui/Form";
import { TextField } from "../ui/TextField";
import { RadioGroup } from "../ui/RadioGroup";

interface ConnectFormProps {
  child: Child;
  siblings: readonly Child[];
  household: components["schemas"]["Household"];
  onConnected: (connected: ConnectedAssistant) => void;
  onCancel: () => void;
}

/** Asks for an assistant's name, children and kind, and creates its key. */
export function ConnectForm({ child, siblings, household, onConnected, onCancel }: ConnectFormProps) {
  const { upstreams } = household;
  const invalidateHousehold = useInvalidateHousehold();
  const connect = useConnectAssistant({
    mutation: {
      onSuccess: ({ data }) => onConnected(data),
      // The list of servers may be out of date.
      onError: invalidateHousehold,
      // Don't cache the key.
      gcTime: 0,
    },
  });
  const [marked, setMarked] = useState<readonly number[]>([child.child_id]);
  const [isForSeveral, setIsForSeveral] = useState(false);
  const [kind, setKind] = useState<Kind>("plug-in");
  const [upstreamName, setUpstreamName] = useState("");
  const upstream =
    kind === "any app" ? (upstreams.find(({ name }) => name === upstreamName) ?? upstreams[0]) : undefined;
  const chosen = upstream === undefined || isForSeveral ? marked : marked.slice(0, 1);
  const readers = whoReads(chosen, household.children);
  const submit = (typed: FormData) => {
    const name = typed.get("name");
    if (connect.isPending || typeof name !== "string") return;
    const choice = upstream && { upstream: { name: upstream.name, host: upstream.host } };
    connect.mutate({ data: { name: name.trim(), children: [...chosen], ...choice } });
  };
  return (
    <>
      <Form ref={revealed} onSubmit={submit} className="appear flex max-w-md flex-col gap-4">
        <TextField
          label="Name, for example Kitchen"
          name="name"
          maxLength={200}
          required
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that had the focus is gone
          autoFocus
        />
        {upstreams.length > 0 ? (
          <RadioGroup legend="Which kind of assistant?" options={kinds} chosen={kind} onChoose={setKind} />
        ) : (
          <p className="text-sm text-muted">
            To connect any app with a base URL, a model is needed. Whoever runs Porchlight adds a model with{" "}
            <code>porchlight upstream add</code>.
          </p>
        )}
        {upstream === undefined ? (
          <ChildChoice legend="Talks with" siblings={siblings} chosen={chosen} onChange={setMarked} />
        ) : (
          <AppChildChoice
            siblings={siblings}
            chosen={chosen}
            isForSeveral={isForSeveral}
            onChange={(children, several) => {
              setMarked(children);
              setIsForSeveral(several);
            }}
          />
        )}
        <p role="status" className="text-sm [overflow-wrap:anywhere] empty:hidden">
          {readers}
        </p>
        {upstream !== undefined && upstreams.length > 1 && (
          <SelectField label="Which model's server?" value={upstream.name} onChange={setUpstreamName}>
            {upstreams.map(({ name, host }) => (
              <option key={name} value={name}>
                {name} ({host})
              </option>
            ))}
          </SelectField>
        )}
        <p role="status" className="[overflow-wrap:anywhere] empty:hidden">
          {upstream !== undefined && whatGoesTo(upstream.host)}
        </p>
        <p className="text-sm text-muted [overflow-wrap:anywhere] md:hidden">
          The key and the steps are needed on the computer that the assistant runs on. You can connect it
          there: open {household.server} and sign in with a recovery code.
        </p>
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            disabled={chosen.length === 0}
            busy={connect.isPending}
            busyLabel="Connecting..."
          >
            Connect
          </Button>
          <Button look="plain" onClick={onCancel}>
            Cancel
          </Button>
        </div>
        <Failure error={connect.error} text="The assistant could not be connected." />
      </Form>
    </>
  );
}

type Kind = "plug-in" | "any app";

const kinds: readonly { value: Kind; label: string }[] = [
  { value: "plug-in", label: "With a plug-in" },
  { value: "any app", label: "Any app with a base URL" },
];
