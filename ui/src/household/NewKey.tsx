import { useEffect, useRef, useState } from "react";

import { AppSettings } from "./AppSettings";
import { partsOf } from "./connections";
import { Copyable } from "./Copyable";
import type { ConnectedAssistant } from "./queries";
import { SelectField } from "../ui/SelectField";
import type { components } from "../api/generated/schema";
import type { Child } from "../children/children";
import { Button } from "../ui/Button";
import { TextLink } from "../ui/TextLink";

type Household = components["schemas"]["Household"];

interface NewKeyProps {
  connected: ConnectedAssistant;
  siblings: readonly Child[];
  household: Household;
  onKept: () => void;
}

/** A new key, and what to do with it. It is shown until the parent confirms that it is saved. */
export function NewKey({ connected: { assistant, key }, siblings, household, onKept }: NewKeyProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const usesGateway = assistant.kind === "gateway" && household.gateway !== undefined;
  return (
    <div className="flex flex-col gap-4 rounded-surface border border-line bg-surface p-4 sm:p-5">
      <h2 ref={heading} tabIndex={-1} className="font-bold [overflow-wrap:anywhere]">
        The key of <bdi>{assistant.name}</bdi>
      </h2>
      {usesGateway ? (
        <>
          <p>Paste these into the app. The key is shown only now. Keep it like a password.</p>
          <AppSettings assistant={assistant} siblings={siblings} household={household}>
            <Copyable text={key} label="Copy the key">
              Key:{" "}
            </Copyable>
          </AppSettings>
        </>
      ) : (
        <>
          <p>It is shown only now. Keep it like a password.</p>
          <Copyable text={key} label="Copy" className="rounded-control bg-quiet px-3 py-2" />
          <PluginSteps household={household} assistantKey={key} />
        </>
      )}
      <Button className="self-start" onClick={onKept}>
        I've saved the key
      </Button>
    </div>
  );
}

const KEY_VARIABLE = "PORCHLIGHT_KEY";

/** A step, and its lines of code with a button that copies them. */
function Step({ step, assistantKey }: { step: string; assistantKey: string }) {
  return (
    <li>
      {partsOf(step).map(({ text, isCode }) =>
        isCode ? (
          <Copyable
            key={text}
            text={text}
            label="Copy the line"
            className="rounded-control bg-quiet px-3 py-2 text-sm"
          />
        ) : (
          text
        ),
      )}
      {step.includes(KEY_VARIABLE) && (
        <Copyable
          text={`${KEY_VARIABLE}=${assistantKey}`}
          label="Copy the variable"
          className="rounded-control bg-quiet px-3 py-2 text-sm"
        />
      )}
    </li>
  );
}

function PluginSteps({ household, assistantKey }: { household: Household; assistantKey: string }) {
  const [stack, setStack] = useState("");
  const plugin = household.plugins.find((each) => each.stack === stack);
  return (
    <>
      <Copyable text={household.server} label="Copy the address">
        The assistant reaches Porchlight at{" "}
      </Copyable>
      <SelectField label="What the assistant runs on" value={stack} onChange={setStack}>
        <option value="">Choose, to see the steps</option>
        {household.plugins.map((each) => (
          <option key={each.stack} value={each.stack}>
            {each.title}
          </option>
        ))}
      </SelectField>
      {plugin !== undefined && <p>Do these steps on the computer that the assistant runs on.</p>}
      {plugin !== undefined && (
        <ol className="flex list-decimal flex-col gap-2 pl-5 [overflow-wrap:anywhere]">
          <li>
            <TextLink isInline href={`/api/assistant/plugins/${plugin.stack}`} download>
              Download the plug-in
            </TextLink>
            . It holds this address and no key.
            <Copyable
              text={`curl -fOJ ${household.server}/api/assistant/plugins/${plugin.stack}`}
              label="Copy the command"
              className="rounded-control bg-quiet px-3 py-2 text-sm"
            >
              Or with a command:{" "}
            </Copyable>
          </li>
          {plugin.steps.map((step) => (
            <Step key={step} step={step} assistantKey={assistantKey} />
          ))}
        </ol>
      )}
    </>
  );
}
