import { BellIcon } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";

import { bellSentence, newCount } from "./sentences";
import { useCountUnseenAlerts } from "../api/generated/client/alerts/alerts";
import { type Child, useChildren } from "../children/children";
import { paths } from "../paths";
import { Menu, menuItemClass } from "../ui/Menu";

/** The most that the bell's badge has room for. */
const MOST_SHOWN = 99;

/** The number of unseen alerts, and a menu with those of each child. */
export function Bell({ items }: { items: readonly Child[] }) {
  const { selected } = useChildren();
  const counts = useCountUnseenAlerts().data?.data.items ?? null;
  const unseenOf = (childId: number) => counts?.find(({ child_id: id }) => id === childId)?.unseen ?? 0;
  const total = counts === null ? null : items.reduce((sum, child) => sum + unseenOf(child.child_id), 0);
  const label = bellSentence(total);
  return (
    <>
      <Menu
        label={label}
        placement="below"
        isInAncestor
        triggerClassName="relative flex size-11 items-center justify-center rounded-full border border-edge text-muted hover:bg-quiet hover:text-ink"
        trigger={
          <>
            <BellIcon />
            {total !== null && total > 0 && (
              <span className="absolute -top-1 -right-1 min-w-5 rounded-full border border-page bg-primary px-1 text-center text-xs font-bold text-on-primary tabular-nums">
                {total > MOST_SHOWN ? `${MOST_SHOWN}+` : total}
              </span>
            )}
          </>
        }
      >
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
              Choose where you are told
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
