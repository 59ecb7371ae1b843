import { plural } from "@lingui/core/macro";

/** That other guardians see and change a part of a child's rules, too; empty if there are none. `guardians` counts all. */
export function sharedWith(guardians: number): string {
  const others = guardians - 1;
  if (others < 1) return "";
  return plural(others, {
    one: "You share this with the child's other guardian.",
    other: "You share this with the child's # other guardians.",
  });
}
