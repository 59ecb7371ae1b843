import { i18n } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { useLocation, useNavigate } from "react-router";

import { AlertList } from "./AlertList";
import { WatchedPhrases } from "./WatchedPhrases";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { paths } from "../paths";
import type { HistoryState } from "../ui/history-state";
import { PageHeading } from "../ui/PageHeading";
import { Tabs } from "../ui/Tabs";

const tabs = [
  { key: "alerts", label: msg`Alerts` },
  { key: "phrases", label: msg`Phrases` },
] as const;

export const AlertsPage = childPage(msg`Alerts`, ChildAlerts);

/** A child's alerts, and on another tab the phrases that this guardian watches for. */
function ChildAlerts({ child }: { child: Child }) {
  const { child_id: childId } = child;
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const tab = pathname === paths.phrases(childId) ? "phrases" : "alerts";
  return (
    <div className="flex flex-col gap-4">
      <PageHeading>{t`Alerts for ${{ name: child.name }}`}</PageHeading>
      <Tabs
        label={t`Alerts`}
        tabs={tabs.map(({ key, label }) => ({ key, label: i18n._(label) }))}
        selected={tab}
        onSelect={(chosen) => {
          const options = { replace: true, state: { keepFocus: true } satisfies HistoryState };
          void navigate(paths[chosen](childId), options);
        }}
      >
        {tab === "alerts" ? <AlertList child={child} /> : <WatchedPhrases child={child} />}
      </Tabs>
    </div>
  );
}
