import { Trans } from "@lingui/react/macro";
import { BellIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "react-router";

import { bellSentence, newWords, shownCount } from "./sentences";
import { CountIcon, countClass } from "./Urgent";
import { useCountUnseenAlerts } from "../api/generated/client/alerts/alerts";
import { gravestFirst, urgentChildren, useAttention } from "../children/attention";
import { type Child, useChildren } from "../children/children";
import { paths } from "../paths";
import { showBadge } from "../ui/badge";
import { Menu, menuItemClass } from "../ui/Menu";

const bellClass =
  "relative flex size-11 items-center justify-center rounded-full border border-edge text-muted hover:bg-quiet hover:text-ink";

/** The number of unseen alerts. It leads to them; with several children, by a menu with those of each, the gravest first. */
export function Bell({ items }: { items: readonly Child[] }) {
  const { selected } = useChildren();
  const counts = useCountUnseenAlerts().data?.data.items ?? null;
  const unseenOf = (childId: number) => counts?.find(({ child_id: id }) => id === childId)?.unseen ?? 0;
  const total = counts === null ? null : items.reduce((sum, child) => sum + unseenOf(child.child_id), 0);
  const query = useAttention();
  const attention = query.data?.data.items;
  const urgent = urgentChildren(attention);
  const isUrgent = items.some(({ child_id: id }) => urgent.has(id));
  const label = bellSentence(total, isUrgent);
  const arrivals = total !== null && !query.isPending && (
    <Arrivals total={total} isUrgent={isUrgent} label={label} />
  );
  useEffect(() => {
    if (total !== null) showBadge(total);
  }, [total]);
  const face = (
    <>
      <BellIcon />
      {(isUrgent || (total !== null && total > 0)) && (
        <span className={`absolute -top-1 -end-1 border-page ${countClass(isUrgent)}`}>
          {isUrgent && <CountIcon />}
          {total !== null && total > 0 && shownCount(total)}
        </span>
      )}
    </>
  );
  const [only] = items;
  if (only !== undefined && items.length === 1) {
    return (
      <>
        <Link to={paths.alerts(only.child_id)} aria-label={label} className={bellClass}>
          {face}
        </Link>
        {arrivals}
      </>
    );
  }
  return (
    <>
      <Menu label={label} placement="below" isInAncestor triggerClassName={bellClass} trigger={face}>
        <div className="flex flex-col">
          {gravestFirst(items, attention).map((child) => (
            <Link
              key={child.child_id}
              to={paths.alerts(child.child_id)}
              role="menuitem"
              className={`${menuItemClass} flex-wrap justify-between gap-y-0`}
            >
              <bdi className="min-w-0">{child.name}</bdi>{" "}
              {counts !== null && (
                <span
                  className={`shrink-0 text-sm ${urgent.has(child.child_id) ? "font-bold text-danger" : unseenOf(child.child_id) > 0 ? "font-bold" : "text-muted"}`}
                >
                  {newWords(unseenOf(child.child_id), urgent.has(child.child_id))}
                </span>
              )}
            </Link>
          ))}
        </div>
        {selected !== null && (
          <div className="mt-1.5 border-t border-line pt-1.5">
            <Link
              to={paths.section(selected.child_id, "subscription")}
              role="menuitem"
              className={`${menuItemClass} text-sm`}
            >
              <Trans>Choose how we tell you</Trans>
            </Link>
          </div>
        )}
      </Menu>
      {arrivals}
    </>
  );
}

interface ArrivalsProps {
  total: number;
  isUrgent: boolean;
  label: string;
}

/** Announces that the number has grown, or that something has become urgent. */
function Arrivals({ total, isUrgent, label }: ArrivalsProps) {
  const [lowest, setLowest] = useState(total);
  const [wasUrgent, setWasUrgent] = useState(isUrgent);
  if (total < lowest) setLowest(total);
  if (wasUrgent && !isUrgent) setWasUrgent(false);
  return (
    <span role="status" className="sr-only">
      {(total > lowest || (isUrgent && !wasUrgent)) && label}
    </span>
  );
}
