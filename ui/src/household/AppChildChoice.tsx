import { useId } from "react";

import { ChildChoice } from "./ChildChoice";
import type { Child } from "../children/children";

interface AppChildChoiceProps {
  siblings: readonly Child[];
  chosen: readonly number[];
  isForSeveral: boolean;
  onChange: (chosen: readonly number[], isForSeveral: boolean) => void;
}

/**
 * Lets the guardian choose whose key an app gets. A key for several children comes last, because whoever has it can talk as any
 * of them. Renders nothing if there is only one child.
 */
export function AppChildChoice({ siblings, chosen, isForSeveral, onChange }: AppChildChoiceProps) {
  const name = useId();
  if (siblings.length < 2) return null;
  return (
    <>
      <fieldset className="flex flex-col gap-1">
        <legend className="text-sm font-bold">Talks with</legend>
        {siblings.map((child) => (
          <label key={child.child_id} className={choice}>
            <input
              type="radio"
              name={name}
              className={radio}
              checked={!isForSeveral && chosen.includes(child.child_id)}
              onChange={() => onChange([child.child_id], false)}
            />
            <bdi>{child.name}</bdi>
          </label>
        ))}
        <label className={choice}>
          <input
            type="radio"
            name={name}
            className={radio}
            aria-describedby={`${name}-several`}
            checked={isForSeveral}
            onChange={() => onChange(chosen, true)}
          />
          Several children with one key
        </label>
        <p id={`${name}-several`} className="pl-8 text-sm text-muted">
          Each child can use the others' name.
        </p>
      </fieldset>
      {isForSeveral && (
        <ChildChoice
          legend="Which children?"
          siblings={siblings}
          chosen={chosen}
          onChange={(several) => onChange(several, true)}
        />
      )}
    </>
  );
}

const choice = "flex min-h-11 items-center gap-3 [overflow-wrap:anywhere]";
const radio = "size-5 shrink-0 accent-primary";
