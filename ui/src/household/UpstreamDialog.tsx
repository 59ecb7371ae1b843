import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { type OwnAssistant, useInvalidateHousehold } from "./queries";
import { type Upstream, noServer, whatGoesTo } from "./upstreams";
import { useChooseAssistantUpstream } from "../api/generated/client/household/household";
import { failureSentence } from "../api/problem";
import { ifCancelled } from "../api/step-up";
import { Confirmation } from "../ui/Confirmation";
import { SelectField } from "../ui/SelectField";

interface UpstreamDialogProps {
  assistant: OwnAssistant;
  upstreams: readonly Upstream[];
  onClose: () => void;
}

/** Lets an app use another model's server, or none. */
export function UpstreamDialog({ assistant, upstreams, onClose }: UpstreamDialogProps) {
  const invalidateHousehold = useInvalidateHousehold();
  const [name, setName] = useState(assistant.upstream?.name ?? upstreams[0]?.name ?? "");
  const choose = useChooseAssistantUpstream({
    mutation: {
      onSuccess: async () => {
        onClose();
        await invalidateHousehold();
      },
      // The list may be out of date.
      onError: async (error) => {
        ifCancelled(onClose)(error);
        await invalidateHousehold();
      },
    },
  });
  const chosen = upstreams.find((each) => each.name === name);
  const confirm = () => {
    const { assistant_id: assistantId } = assistant;
    const data = chosen === undefined ? {} : { upstream: { name: chosen.name, host: chosen.host } };
    choose.mutate({ assistantId, data });
  };
  return (
    <Confirmation
      title={t`Change the model's server`}
      action={t`Save`}
      busy={choose.isPending}
      failure={failureSentence(choose.error)}
      onConfirm={confirm}
      onClose={onClose}
      choice={
        <SelectField label={t`Which model's server?`} value={chosen?.name ?? ""} onChange={setName}>
          {upstreams.map((each) => (
            <option key={each.name} value={each.name}>
              {each.name} ({each.host})
            </option>
          ))}
          <option value="">
            <Trans>None</Trans>
          </option>
        </SelectField>
      }
    >
      <span role="status" className="[overflow-wrap:anywhere]">
        {chosen === undefined ? noServer() : whatGoesTo(chosen.host)}
      </span>
    </Confirmation>
  );
}
