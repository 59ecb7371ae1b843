import type { Child } from "../children/children";
import { Check } from "../ui/Check";
import { Fieldset } from "../ui/Fieldset";

interface ChildChoiceProps {
  legend: string;
  siblings: readonly Child[];
  chosen: readonly number[];
  onChange: (chosen: readonly number[]) => void;
}

/** Lets the guardian choose some of their children. Renders nothing if there is only one. */
export function ChildChoice({ legend, siblings, chosen, onChange }: ChildChoiceProps) {
  if (siblings.length < 2) return null;
  return (
    <Fieldset legend={legend}>
      {siblings.map(({ child_id: id, name }) => (
        <Check
          key={id}
          checked={chosen.includes(id)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
          }
        >
          <bdi>{name}</bdi>
        </Check>
      ))}
    </Fieldset>
  );
}
