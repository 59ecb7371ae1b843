import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { BellIcon } from "lucide-react";
import { Suspense } from "react";
import { Link, NavLink } from "react-router";

import { UnseenCount, sectionLinks } from "./sections";
import { paths } from "../paths";
import { Mark } from "../ui/Mark";

const itemClass =
  "relative flex min-h-11 flex-col items-center justify-center gap-0.5 rounded-control py-1.5 text-center text-xs wrap-anywhere hyphens-auto text-muted transition-colors duration-150 before:absolute before:inset-y-2.5 before:start-0 before:w-1 before:rounded-full hover:bg-quiet hover:text-ink aria-[current]:bg-lamp-glow aria-[current]:font-bold aria-[current]:text-ink aria-[current]:before:bg-lamp lg:flex-row lg:justify-start lg:gap-3 lg:px-3 lg:text-start lg:text-base forced-colors:aria-[current]:before:bg-[Highlight]";

/** The sections of a child, and below them the alerts: from 1024 px the label is beside the icon, from 768 px below it. */
export function SideNavigation({ childId }: { childId: number | null }) {
  return (
    <nav
      aria-label={t`Sections`}
      className="sticky top-0 hidden h-dvh w-26 shrink-0 flex-col overflow-y-auto border-e border-line bg-surface px-2 py-4 md:flex lg:w-58 lg:px-3"
    >
      <Link
        to={paths.index()}
        aria-label="Porchlight"
        className="mb-6 flex min-h-11 items-center gap-2.5 self-center rounded-control px-1 text-lg font-bold lg:self-start lg:px-2"
      >
        <Mark className="size-8" />
        <span className="hidden lg:inline">Porchlight</span>
      </Link>
      {childId !== null && (
        <ul className="flex flex-col gap-1">
          {sectionLinks.map(({ section, label, Icon }) => (
            <li key={section}>
              <NavLink to={paths.section(childId, section)} className={itemClass}>
                <Icon />
                <span>{i18n._(label)}</span>
              </NavLink>
            </li>
          ))}
          <li className="mt-1 border-t border-line pt-2">
            <NavLink to={paths.alerts(childId)} className={itemClass}>
              <BellIcon />
              <span>
                <Trans>Alerts</Trans>
              </span>{" "}
              <Suspense fallback={null}>
                <UnseenCount
                  childId={childId}
                  className="max-lg:absolute max-lg:top-0.5 max-lg:start-1/2 lg:ms-auto"
                />
              </Suspense>
            </NavLink>
          </li>
        </ul>
      )}
    </nav>
  );
}
