/** That other guardians see and change a part of a child's rules, too; empty if there are none. `guardians` counts all. */
export function sharedWith(what: "it" | "this text" | "these times", guardians: number): string {
  if (guardians < 2) return "";
  const others = guardians - 1;
  const whom = others === 1 ? "the child's other guardian" : `the child's ${others} other guardians`;
  return `You share ${what} with ${whom}.`;
}
