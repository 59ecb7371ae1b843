/** The sentences about a child's guardians. */
import { plural, t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import type { Child } from "../children/children";
import { joinNames } from "../format/names";
import { plainText } from "../format/plain-text";

type GuardiansOfChild = components["schemas"]["GuardiansOfChild"];

export function otherGuardians(child: Child, all: readonly GuardiansOfChild[]) {
  const guardians = all.find(({ child_id: id }) => id === child.child_id)?.guardians ?? [];
  return guardians.filter(({ is_you: isYou }) => !isYou);
}

/** "You and Robin see Mia's data", or that there is nobody else; some guardians have no name. */
export function whoSees(child: Child, all: readonly GuardiansOfChild[]): string {
  const others = otherGuardians(child, all);
  if (others.length === 0) return t`You are ${{ name: child.name }}'s only guardian here`;
  const named = others.flatMap(({ name }) => plainText(name ?? "").trim() || []);
  const nameless = others.length - named.length;
  const you = t({ message: "You", context: "the subject of a sentence" });
  const everybody = joinNames([you, ...named, ...(nameless > 0 ? [countedGuardians(nameless)] : [])]);
  return t`${everybody} see ${{ name: child.name }}'s data`;
}

/** Guardians without a name, in a list of names. */
export function countedGuardians(nameless: number): string {
  return plural(nameless, { one: "another guardian", other: "# other guardians" });
}
