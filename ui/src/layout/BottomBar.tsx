import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { BellIcon, EllipsisIcon } from "lucide-react";
import { Suspense } from "react";
import { NavLink, useLocation } from "react-router";

import { UnseenCount, sectionLinks } from "./sections";
import { paths } from "../paths";
import { Menu, menuItemClass } from "../ui/Menu";

/** The labels scale with the text size up to the size at which five still fit side by side. */
const itemClass =
  "relative flex h-15 w-full flex-col items-center justify-center gap-0.5 text-center leading-tight wrap-anywhere hyphens-auto text-[min(var(--text-xs),3.3vw)] text-muted -outline-offset-3 before:absolute before:top-0 before:h-1 before:w-8 before:rounded-full aria-[current]:font-bold aria-[current]:text-ink aria-[current]:before:bg-lamp forced-colors:aria-[current]:before:bg-[Highlight]";

const restClass = `${menuItemClass} aria-[current]:bg-lamp-glow aria-[current]:font-bold`;

/** A phone's navigation at the bottom: the four sections used daily, the rest behind "More". */
export function BottomBar({ childId }: { childId: number }) {
  const { pathname } = useLocation();
  const rest = sectionLinks.filter(({ barLabel }) => barLabel === undefined);
  const others = [...rest.map(({ section }) => paths.section(childId, section)), paths.alerts(childId)];
  return (
    <nav
      aria-label={t`Sections`}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="grid grid-cols-5">
        {sectionLinks
          .filter(({ barLabel }) => barLabel !== undefined)
          .map(({ section, label, barLabel, Icon }) => (
            <li key={section}>
              <NavLink to={paths.section(childId, section)} aria-label={i18n._(label)} className={itemClass}>
                <Icon />
                {barLabel !== undefined && i18n._(barLabel)}
              </NavLink>
            </li>
          ))}
        <li>
          <Menu
            label={t`More`}
            placement="above"
            current={others.some((path) => pathname.startsWith(path))}
            triggerClassName={itemClass}
            trigger={
              <>
                <EllipsisIcon />
                <Trans>More</Trans>
              </>
            }
          >
            {rest.map(({ section, label, Icon }) => (
              <NavLink
                key={section}
                to={paths.section(childId, section)}
                role="menuitem"
                className={restClass}
              >
                <Icon />
                {i18n._(label)}
              </NavLink>
            ))}
            <div className="mt-1.5 border-t border-line pt-1.5">
              <NavLink to={paths.alerts(childId)} role="menuitem" className={restClass}>
                <BellIcon />
                <span className="flex-1">
                  <Trans>Alerts</Trans>
                </span>{" "}
                <Suspense fallback={null}>
                  <UnseenCount childId={childId} />
                </Suspense>
              </NavLink>
            </div>
          </Menu>
        </li>
      </ul>
    </nav>
  );
}
