import { type ReactNode, useEffect, useId, useRef, useState } from "react";

import type { ConnectedAssistant } from "./queries";
import type { components } from "../api/generated/schema";
import { Button } from "../ui/Button";
import { useCopyToClipboard } from "../ui/copy";

interface NewKeyProps {
  connected: ConnectedAssistant;
  household: components["schemas"]["Household"];
  onKept: () => void;
}

/** A new key, and what to do with it. It is shown until the parent confirms that it is saved. */
export function NewKey({ connected: { assistant, key }, household, onKept }: NewKeyProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [stack, setStack] = useState("");
  const field = useId();
  useEffect(() => heading.current?.focus(), []);
  const plugin = household.plugins.find((each) => each.stack === stack);
  return (
    <div className="flex flex-col gap-4 rounded-surface border border-line bg-surface p-4 sm:p-5">
      <h3 ref={heading} tabIndex={-1} className="font-bold [overflow-wrap:anywhere]">
        The key of <bdi>{assistant.name}</bdi>
      </h3>
      <p>It is shown only now. Keep it like a password.</p>
      <Copyable text={key} label="Copy" className="rounded-control bg-quiet px-3 py-2" />
      <Copyable text={household.server} label="Copy the address">
        The assistant reaches Porchlight at{" "}
      </Copyable>
      <div className="flex flex-col gap-1.5">
        <label htmlFor={field} className="text-sm font-bold">
          What the assistant runs on
        </label>
        <select
          id={field}
          value={stack}
          onChange={({ target }) => setStack(target.value)}
          className="min-h-11 max-w-full min-w-0 self-start rounded-control border border-edge bg-surface px-3 text-base"
        >
          <option value="">Choose, to see the steps</option>
          {household.plugins.map((each) => (
            <option key={each.stack} value={each.stack}>
              {each.title}
            </option>
          ))}
        </select>
      </div>
      {plugin !== undefined && (
        <ol className="flex list-decimal flex-col gap-2 pl-5 [overflow-wrap:anywhere]">
          <li>
            <a
              href={`/api/assistant/plugins/${plugin.stack}`}
              download
              className="font-bold text-primary underline underline-offset-4"
            >
              Download the plug-in
            </a>
            . It holds this address and no key.
          </li>
          {plugin.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      <Button className="self-start" onClick={onKept}>
        I've saved the key
      </Button>
    </div>
  );
}

interface CopyableProps {
  text: string;
  /** The label of the copy button. */
  label: string;
  className?: string;
  /** Rendered above it. */
  children?: ReactNode;
}

function Copyable({ text, label, className = "", children }: CopyableProps) {
  const shown = useRef<HTMLElement>(null);
  const { announcement, copy } = useCopyToClipboard(shown);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className={`min-w-0 [overflow-wrap:anywhere] ${className}`}>
        {children}
        <code ref={shown}>{text}</code>
      </p>
      <Button look="plain" onClick={() => void copy()}>
        {label}
      </Button>
      <span role="status" className="text-sm text-muted">
        {announcement}
      </span>
    </div>
  );
}
