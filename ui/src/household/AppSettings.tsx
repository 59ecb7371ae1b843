import { type ReactNode, useState } from "react";

import { Copyable } from "./Copyable";
import type { OwnAssistant } from "./queries";
import { type ModelName, modelNames } from "./upstreams";
import type { components } from "../api/generated/schema";
import type { Child } from "../children/children";
import { SelectField } from "../ui/SelectField";

type Household = components["schemas"]["Household"];

interface AppSettingsProps {
  assistant: OwnAssistant;
  siblings: readonly Child[];
  household: Household;
  /** Shown after the address. */
  children?: ReactNode;
}

function upstreamOf(assistant: OwnAssistant, { upstreams }: Household) {
  return upstreams.find(({ name }) => name === assistant.upstream?.name);
}

/** What a parent pastes into an app: the address and the model's name. */
export function AppSettings({ assistant, siblings, household, children }: AppSettingsProps) {
  const models = upstreamOf(assistant, household)?.models ?? [];
  const [chosen, setChosen] = useState("");
  if (household.gateway === undefined) return children;
  const model = models.find((each) => each === chosen) ?? models[0] ?? null;
  const names = modelNames(assistant, siblings, model);
  return (
    <>
      <Copyable text={household.gateway} label="Copy the address">
        Address:{" "}
      </Copyable>
      {children}
      {models.length > 1 && model !== null && (
        <SelectField label="Model" value={model} onChange={setChosen}>
          {models.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
      )}
      {names.map((name) => (
        <NameToPaste key={name.text} {...name} isWhole={model !== null} />
      ))}
    </>
  );
}

/** What an app's own documentation calls these, and the address in Ollama's form. */
export function AppDetails({ assistant, household }: Pick<AppSettingsProps, "assistant" | "household">) {
  const { gateway } = household;
  return (
    <>
      <p>
        Apps call the place for the address "base URL", "API base", "OpenAI-compatible" or "custom endpoint".
      </p>
      {upstreamOf(assistant, household)?.form === "ollama" && gateway !== undefined && (
        <Copyable text={gateway.replace(/\/v1$/u, "")} label="Copy Ollama's address">
          For Ollama's own form leave out /v1:{" "}
        </Copyable>
      )}
      <p>
        If the app names CORS, whoever runs Porchlight starts it with <code>--gateway-origin</code> and the
        app's address.
      </p>
    </>
  );
}

/** If the server doesn't say which models it has, the text is only what follows the model's name. */
function NameToPaste({ child, text, isWhole }: ModelName & { isWhole: boolean }) {
  if (text === null) return <p>Model: the model's name as the server knows it.</p>;
  const forWhom = child === "" ? "" : ` for ${child}`;
  return (
    <Copyable text={text} label={isWhole ? `Copy the model${forWhom}` : `Copy what follows${forWhom}`}>
      Model{forWhom}: {!isWhole && "the model's name as the server knows it, followed by "}
    </Copyable>
  );
}
