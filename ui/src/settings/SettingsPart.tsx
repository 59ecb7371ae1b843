import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";

import { paths } from "../paths";
import { BackLink } from "../ui/BackLink";
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
        <BackLink to={paths.section(childId, "settings")}>{t`App Settings`}</BackLink>
        <PageHeading className="[overflow-wrap:anywhere]">{heading}</PageHeading>
      </div>
      {children}
    </div>
  );
}
