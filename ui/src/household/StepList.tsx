import type { ReactNode } from "react";

import { AppSettings } from "./AppSettings";
import { type Source, shortTitle } from "./connect";
import { Copyable } from "./Copyable";
import type { OwnAssistant, Plugin } from "./queries";
import type { components } from "../api/generated/schema";
import type { Child } from "../children/children";
import { joinNames } from "../format/names";
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
    <ol className="flex max-w-[60ch] list-decimal flex-col gap-4 pl-6 marker:font-bold [overflow-wrap:anywhere]">
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

const SPEAK = "Then say something to it.";
const TECHNICAL = "Technical details has what is needed.";

function appSteps({ assistant, siblings, household, assistantKey }: StepListProps): readonly ReactNode[] {
  return [
    <>
      In the app's settings, find where it asks for an AI's address and key. In Open WebUI: <b>Settings</b>,
      then <b>Connections</b> under <b>Admin</b>, then + beside <b>Manage OpenAI API Connections</b>.
    </>,
    <>
      Paste these, and save:
      <div className="my-2 flex flex-col gap-2">
        <AppSettings assistant={assistant} siblings={siblings} household={household}>
          {assistantKey}
        </AppSettings>
      </div>
    </>,
    <>Switch off every other AI in the app, because Porchlight sees nothing of those. {SPEAK}</>,
  ];
}

function homeAssistantSteps({ assistant, siblings, assistantKey }: StepListProps): readonly ReactNode[] {
  const names = namesOf(assistant, siblings);
  return [
    <>
      <Download stack="home-assistant" /> and unpack it. Put its folder <b>porchlight</b> into Home
      Assistant's folder <b>custom_components</b>, and restart Home Assistant.
    </>,
    <>
      In Home Assistant under <b>Settings</b>, <b>Devices & services</b>, add <b>Porchlight</b>
      {names.length > 1 && " for each child"}. Paste the key, then choose{" "}
      <bdi>{names.length > 1 ? "the child" : joinNames(names)}</bdi> and the conversation agent that answers
      now.
      {assistantKey}
    </>,
    <>
      Under <b>Settings</b>, <b>Voice assistants</b>, choose <b>Porchlight for …</b> and switch off{" "}
      <b>Prefer handling commands locally</b>. {SPEAK}
    </>,
  ];
}

function toySteps({ assistantKey }: StepListProps): readonly ReactNode[] {
  return [
    <>
      <Download stack="xiaozhi" /> and put it into the folder <b>plugins_func/functions</b> of{" "}
      <span className="whitespace-nowrap">xiaozhi-server</span>.
    </>,
    <>
      Give xiaozhi-server the key. {TECHNICAL}
      {assistantKey}
    </>,
    `Start xiaozhi-server again. ${SPEAK}`,
  ];
}

function softwareSteps(
  { household, assistantKey }: StepListProps,
  plugin: Plugin | undefined,
): readonly ReactNode[] {
  if (plugin === undefined) {
    return [
      <>
        Give the person who built the speaker this address, and the key:
        <Copyable text={household.server} label="Copy the address" className="my-2" />
        {assistantKey}
      </>,
      TECHNICAL,
      SPEAK,
    ];
  }
  return [
    <>
      <Download stack={plugin.stack} /> and put it beside the speaker's program, which runs on{" "}
      {shortTitle(plugin)}.
    </>,
    <>
      Give the program the key, and have it start the plug-in. {TECHNICAL}
      {assistantKey}
    </>,
    `Start the program again. ${SPEAK}`,
  ];
}

function Download({ stack }: { stack: string }) {
  return (
    <TextLink isInline href={`/api/assistant/plugins/${stack}`} download>
      Download the plug-in
    </TextLink>
  );
}

function namesOf({ children }: OwnAssistant, siblings: readonly Child[]): string[] {
  return siblings.filter(({ child_id: id }) => children.includes(id)).map(({ name }) => name);
}
