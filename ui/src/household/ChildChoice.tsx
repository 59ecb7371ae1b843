import type { Child } from "../children/children";

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
    <fieldset className="flex flex-col gap-1">
      <legend className="text-sm font-bold">{legend}</legend>
      {siblings.map(({ child_id: id, name }) => (
        <label key={id} className="flex min-h-11 items-center gap-3 [overflow-wrap:anywhere]">
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-primary"
            checked={chosen.includes(id)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
            }
          />
          <bdi>{name}</bdi>
        </label>
      ))}
    </fieldset>
  );
}
