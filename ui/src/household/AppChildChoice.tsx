import { t } from "@lingui/core/macro";

import { ChildChoice } from "./ChildChoice";
import type { Child } from "../children/children";
import { RadioGroup } from "../ui/RadioGroup";

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
  if (siblings.length < 2) return null;
  return (
    <>
      <RadioGroup
        legend={t`Talks with`}
        options={[
          ...siblings.map(({ child_id: id, name }) => ({ value: id, label: <bdi>{name}</bdi> })),
          {
            value: SEVERAL,
            label: t`Several children with one key`,
            hint: t`Each child can use the others' name.`,
          },
        ]}
        chosen={isForSeveral ? SEVERAL : chosen[0]}
        onChoose={(value) => (value === SEVERAL ? onChange(chosen, true) : onChange([value], false))}
      />
      {isForSeveral && (
        <ChildChoice
          legend={t`Several children with one key`}
          siblings={siblings}
          chosen={chosen}
          onChange={(several) => onChange(several, true)}
        />
      )}
    </>
  );
}

const SEVERAL = "several";
