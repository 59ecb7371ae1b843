import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";

import { AppSettings } from "./AppSettings";
import { type Source, shortTitle } from "./connect";
import { Copyable } from "./Copyable";
import type { OwnAssistant, Plugin } from "./queries";
import type { components } from "../api/generated/schema";
import type { Child } from "../children/children";
import { TextLink } from "../ui/TextLink";

interface StepListProps {
  source: Source;
  assistant: OwnAssistant;
  siblings: readonly Child[];
  household: components["schemas"]["Household"];
  /** The key, within the step that needs it. */
  assistantKey: ReactNode;
}

/** What to do so that the child's words arrive, in three steps. */
export function StepList(props: StepListProps) {
  return (
    <ol className="flex max-w-[60ch] list-decimal flex-col gap-4 ps-6 marker:font-bold [overflow-wrap:anywhere]">
      {stepsOf(props).map((step, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the steps have an order and nothing else
        <li key={index}>{step}</li>
      ))}
    </ol>
  );
}

function stepsOf(props: StepListProps): readonly ReactNode[] {
  switch (props.source.kind) {
    case "app":
      return appSteps(props);
    case "home-assistant":
      return homeAssistantSteps(props);
    case "toy":
      return toySteps(props);
    case "software":
      return softwareSteps(props, props.source.plugin);
    case "speaker":
    case "nothing":
      return [];
  }
}

function speak(): string {
  return t`Then say something to it.`;
}

function technical(): string {
  return t`Technical details has what is needed.`;
}

function giveKey(): string {
  return t`Give the program the key, and have it start the plug-in.`;
}

function startAgain(): string {
  return t`Start the program again.`;
}

function appSteps({ assistant, siblings, household, assistantKey }: StepListProps): readonly ReactNode[] {
  return [
    <>
      <Trans>
        In the app's settings, find where it asks for an AI's address and key. In Open WebUI: <b>Settings</b>,
        then <b>Connections</b> under <b>Admin</b>, then + beside <b>Manage OpenAI API Connections</b>.
      </Trans>
    </>,
    <>
      <Trans>Paste these, and save:</Trans>
      <div className="my-2 flex flex-col gap-2">
        <AppSettings assistant={assistant} siblings={siblings} household={household}>
          {assistantKey}
        </AppSettings>
      </div>
    </>,
    <>
      <Trans>Switch off every other AI in the app, because Porchlight sees nothing of those.</Trans> {speak()}
    </>,
  ];
}

function homeAssistantSteps({ assistantKey }: StepListProps): readonly ReactNode[] {
  return [
    <>
      <Trans>
        <Download stack="home-assistant">Download the plug-in</Download> and unpack it. Put its folder{" "}
        <b>porchlight</b> into Home Assistant's folder <b>custom_components</b>, and restart Home Assistant.
      </Trans>
    </>,
    <>
      <Trans>
        In Home Assistant under <b>Settings</b>, <b>Devices & services</b>, add <b>Porchlight</b> for each
        child. Paste the key, then choose the child and the conversation agent that answers now.
      </Trans>
      {assistantKey}
    </>,
    <>
      <Trans>
        Under <b>Settings</b>, <b>Voice assistants</b>, choose <b>Porchlight for …</b> and switch off{" "}
        <b>Prefer handling commands locally</b>.
      </Trans>{" "}
      {speak()}
    </>,
  ];
}

function toySteps({ assistantKey }: StepListProps): readonly ReactNode[] {
  return [
    <>
      <Trans>
        <Download stack="xiaozhi">Download the plug-in</Download> and put it into the folder{" "}
        <b>plugins_func/functions</b> of <span className="whitespace-nowrap">xiaozhi-server</span>.
      </Trans>
    </>,
    <>
      {giveKey()} {technical()}
      {assistantKey}
    </>,
    <>
      {startAgain()} {speak()}
    </>,
  ];
}

function softwareSteps(
  { household, assistantKey }: StepListProps,
  plugin: Plugin | undefined,
): readonly ReactNode[] {
  if (plugin === undefined) {
    return [
      <>
        <Trans>Give the person who built the speaker this address, and the key:</Trans>
        <Copyable text={household.server} className="my-2" />
        {assistantKey}
      </>,
      technical(),
      speak(),
    ];
  }
  const { stack } = plugin;
  return [
    <>
      <Trans>
        <Download stack={stack}>Download the plug-in</Download> and put it beside the speaker's program, which
        runs on {{ software: shortTitle(plugin) }}.
      </Trans>
    </>,
    <>
      {giveKey()} {technical()}
      {assistantKey}
    </>,
    <>
      {startAgain()} {speak()}
    </>,
  ];
}

function Download({ stack, children }: { stack: string; children: ReactNode }) {
  return (
    <TextLink isInline href={`/api/assistant/plugins/${stack}`} download>
      {children}
    </TextLink>
  );
}
