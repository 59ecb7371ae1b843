import { ChevronLeftIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";

import { paths } from "../paths";
import { PageHeading } from "../ui/PageHeading";

interface SettingsPartProps {
  childId: number;
  heading: string;
  children: ReactNode;
}

/** A page below App Settings, with the link back. */
export function SettingsPart({ childId, heading, children }: SettingsPartProps) {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col">
        <Link
          to={paths.section(childId, "settings")}
          className="-ml-1.5 flex min-h-11 items-center gap-1 self-start font-bold text-primary"
        >
          <ChevronLeftIcon className="size-5" />
          App Settings
        </Link>
        <PageHeading className="[overflow-wrap:anywhere]">{heading}</PageHeading>
      </div>
      {children}
    </div>
  );
}
