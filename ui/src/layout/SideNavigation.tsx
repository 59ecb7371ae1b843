import { Link, NavLink } from "react-router";

import { sectionLinks } from "./sections";
import { paths } from "../paths";
import { Mark } from "../ui/Mark";

/** The sections of a child: icon and word from 1024 px, at 768 px the icon, its word on hover and focus. */
export function SideNavigation({ childId }: { childId: number | null }) {
  return (
    <nav
      aria-label="Sections"
      className="sticky top-0 hidden h-dvh w-18 shrink-0 flex-col border-r border-line bg-surface px-3 py-4 md:flex lg:w-58"
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
              <NavLink
                to={paths.section(childId, section)}
                className="group relative flex min-h-11 items-center justify-center gap-3 rounded-control text-muted transition-colors duration-150 before:absolute before:inset-y-2.5 before:-left-1.5 before:w-1 before:rounded-full hover:bg-quiet hover:text-ink aria-[current]:bg-lamp-glow aria-[current]:font-bold aria-[current]:text-ink aria-[current]:before:bg-lamp lg:justify-start lg:px-3 lg:before:left-0"
              >
                <Icon />
                <span className="max-lg:pointer-events-none max-lg:absolute max-lg:left-full max-lg:z-30 max-lg:ml-3 max-lg:w-max max-lg:rounded-control max-lg:bg-ink max-lg:px-3 max-lg:py-1.5 max-lg:font-normal max-lg:text-page max-lg:opacity-0 max-lg:shadow-float max-lg:group-hover:opacity-100 max-lg:group-focus-visible:opacity-100">
                  {label}
                </span>
              </NavLink>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}
