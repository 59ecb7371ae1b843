import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useState } from "react";

import { Copyable } from "./Copyable";
import type { OwnAssistant } from "./queries";
import { type ModelName, modelNames } from "./upstreams";
import type { components } from "../api/generated/schema";
import type { Child } from "../children/children";
import { labelled } from "../format/labelled";
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
      <Copyable text={household.gateway}>
        <Trans>Address:</Trans>
      </Copyable>
      {children}
      {models.length > 1 && model !== null && (
        <SelectField label={t`Model`} value={model} onChange={setChosen}>
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
        <Trans>
          Apps call the place for the address "base URL", "API base", "OpenAI-compatible" or "custom
          endpoint".
        </Trans>
      </p>
      {upstreamOf(assistant, household)?.form === "ollama" && gateway !== undefined && (
        <Copyable text={gateway.replace(/\/v1$/u, "")}>
          <Trans>For Ollama's own form leave out /v1:</Trans>
        </Copyable>
      )}
    </>
  );
}

/** If the server doesn't say which models it has, the text is only what follows the model's name. */
function NameToPaste({ child, text, isWhole }: ModelName & { isWhole: boolean }) {
  const label = child === "" ? t`Model` : `${t`Model`} · ${child}`;
  if (text === null) return <p>{labelled(label, nameOnServer())}</p>;
  return (
    <Copyable text={text}>
      {isWhole ? <Trans>{label}:</Trans> : `${labelled(label, nameOnServer())} +`}
    </Copyable>
  );
}

function nameOnServer(): string {
  return t`the model's name as the server knows it`;
}
