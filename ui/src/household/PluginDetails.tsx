import { Trans } from "@lingui/react/macro";

import { partsOf } from "./connections";
import { Copyable } from "./Copyable";
import type { Plugin } from "./queries";

interface PluginDetailsProps {
  plugin: Plugin;
  /** Where the assistant reaches the server. */
  server: string;
  /** Null if it isn't known here. */
  assistantKey: string | null;
}

const KEY_VARIABLE = "PORCHLIGHT_KEY";

/** The versions that a plug-in works with, and its steps as the person who runs the assistant needs them. */
export function PluginDetails({ plugin, server, assistantKey }: PluginDetailsProps) {
  return (
    <>
      <Copyable text={server}>
        <Trans>Address:</Trans>
      </Copyable>
      <p>
        <Trans>For {{ title: plugin.title }}. To download it with a command:</Trans>
      </p>
      <Line text={`curl -fOJ ${server}/api/assistant/plugins/${plugin.stack}`} />
      <ol className="flex list-decimal flex-col gap-2 ps-5 [overflow-wrap:anywhere]">
        {plugin.steps.map((step) => (
          <Step key={step} step={step} assistantKey={assistantKey} />
        ))}
      </ol>
    </>
  );
}

function Line({ text }: { text: string }) {
  return <Copyable text={text} className="rounded-control bg-quiet px-3 py-2 text-sm" />;
}

/** A step, and its lines of code with a button that copies them. */
function Step({ step, assistantKey }: { step: string; assistantKey: string | null }) {
  return (
    <li>
      {partsOf(step).map(({ text, isCode }) => (isCode ? <Line key={text} text={text} /> : text))}
      {step.includes(KEY_VARIABLE) && assistantKey !== null && (
        <Line text={`${KEY_VARIABLE}=${assistantKey}`} />
      )}
    </li>
  );
}
