import { plural } from "@lingui/core/macro";

/** That other guardians see and change a part of a child's rules, too; empty if there are none. `guardians` counts all. */
export function sharedWith(what: "it" | "this text" | "these times", guardians: number): string {
  if (guardians < 2) return "";
  const others = guardians - 1;
  switch (what) {
    case "it":
      return plural(others, {
        one: "You share it with the child's other guardian.",
        other: "You share it with the child's # other guardians.",
      });
    case "this text":
      return plural(others, {
        one: "You share this text with the child's other guardian.",
        other: "You share this text with the child's # other guardians.",
      });
    case "these times":
      return plural(others, {
        one: "You share these times with the child's other guardian.",
        other: "You share these times with the child's # other guardians.",
      });
  }
}
