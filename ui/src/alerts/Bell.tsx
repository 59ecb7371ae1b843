import { Trans } from "@lingui/react/macro";
import { BellIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "react-router";

import { bellSentence, newCount, shownCount } from "./sentences";
import { useCountUnseenAlerts } from "../api/generated/client/alerts/alerts";
import { type Child, useChildren } from "../children/children";
import { paths } from "../paths";
import { showBadge } from "../ui/badge";
import { Menu, menuItemClass } from "../ui/Menu";

const bellClass =
  "relative flex size-11 items-center justify-center rounded-full border border-edge text-muted hover:bg-quiet hover:text-ink";

/** The number of unseen alerts. It leads to them; with several children, by a menu with those of each. */
export function Bell({ items }: { items: readonly Child[] }) {
  const { selected } = useChildren();
  const counts = useCountUnseenAlerts().data?.data.items ?? null;
  const unseenOf = (childId: number) => counts?.find(({ child_id: id }) => id === childId)?.unseen ?? 0;
  const total = counts === null ? null : items.reduce((sum, child) => sum + unseenOf(child.child_id), 0);
  const label = bellSentence(total);
  useEffect(() => {
    if (total !== null) showBadge(total);
  }, [total]);
  const face = (
    <>
      <BellIcon />
      {total !== null && total > 0 && (
        <span className="absolute -top-1 -end-1 min-w-5 rounded-full border border-page bg-primary px-1 text-center text-xs font-bold text-on-primary tabular-nums">
          {shownCount(total)}
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
        <Arrivals total={total} label={label} />
      </>
    );
  }
  return (
    <>
      <Menu label={label} placement="below" isInAncestor triggerClassName={bellClass} trigger={face}>
        <div className="flex flex-col">
          {items.map((child) => (
            <Link
              key={child.child_id}
              to={paths.alerts(child.child_id)}
              role="menuitem"
              className={`${menuItemClass} flex-wrap justify-between gap-y-0`}
            >
              <bdi className="min-w-0">{child.name}</bdi>{" "}
              {counts !== null && (
                <span
                  className={`shrink-0 text-sm ${unseenOf(child.child_id) > 0 ? "font-bold" : "text-muted"}`}
                >
                  {newCount(unseenOf(child.child_id))}
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
      <Arrivals total={total} label={label} />
    </>
  );
}

/** Announces that the number has grown. */
function Arrivals({ total, label }: { total: number | null; label: string }) {
  const [lowest, setLowest] = useState(total);
  if (total !== null && (lowest === null || total < lowest)) setLowest(total);
  const hasGrown = total !== null && lowest !== null && total > lowest;
  return (
    <span role="status" className="sr-only">
      {hasGrown && label}
    </span>
  );
}
