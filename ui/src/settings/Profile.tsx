import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Suspense, lazy } from "react";

import type { Child } from "../children/children";
import { atRelativeTime } from "../format/dates";
import { BirthMonth } from "../household/BirthMonth";
import { ChildLanguage } from "../household/ChildLanguage";
import { otherGuardians } from "../household/guardians";
import { HouseholdView } from "../household/HouseholdView";
import { LeaveOrErase } from "../household/LeaveOrErase";
import { RenameChild } from "../household/RenameChild";
import { paths } from "../paths";
import { DownloadCopy } from "../retention/DownloadCopy";
import { RetentionSection } from "../retention/RetentionSection";
import { Skeleton } from "../ui/Skeleton";
import { TextLink } from "../ui/TextLink";
import { isolated } from "../format/isolated";

const ConversationStartersSetting = lazy(async () => ({
  default: (await import("../conversation-starters/ConversationStartersSetting")).ConversationStartersSetting,
}));

/** The child's name, its page, its data, and its end. */
export function Profile({ child }: { child: Child }) {
  return (
    <HouseholdView>
      {({ guardians_manage: manages, last_backup_at: lastBackupAt, children }) => (
        <>
          {manages && <RenameChild child={child} />}
          <BirthMonth child={child} />
          <ChildLanguage child={child} />
          <RetentionSection child={child} />
          <ForChild child={child} />
          <Suspense fallback={<Skeleton shapes={["h-7 max-w-64", "h-5 max-w-md", "h-11 max-w-56"]} />}>
            <ConversationStartersSetting child={child} />
          </Suspense>
          <div className="flex flex-col gap-2">
            <DownloadCopy child={child} />
            {lastBackupAt !== undefined && (
              <p className="text-sm text-muted">
                <Trans>The last backup was made {{ time: atRelativeTime(lastBackupAt, new Date()) }}.</Trans>
              </p>
            )}
          </div>
          {manages && <LeaveOrErase child={child} isShared={otherGuardians(child, children).length > 0} />}
        </>
      )}
    </HouseholdView>
  );
}

function ForChild({ child: { child_id: childId, name } }: { child: Child }) {
  return (
    <TextLink to={paths.forChild(childId)} className="self-start">
      {t`A page for ${{ name: isolated(name) }}`}
    </TextLink>
  );
}
