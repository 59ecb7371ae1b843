import { t } from "@lingui/core/macro";
import { ChevronRightIcon } from "lucide-react";
import { Link } from "react-router";

import { ChangesSection } from "./ChangesSection";
import { assistantsLine, profileLine, timesLine, youLine } from "./lines";
import {
  useGetHousehold,
  useGetRetention,
  useListConnections,
  useGetRequests,
} from "../api/generated/client/household/household";
import { useGetAddress, useGetRecoveryCodes } from "../api/generated/client/identity/identity";
import { useGetReviewer } from "../api/generated/client/reviewer/reviewer";
import { useGetTimes } from "../api/generated/client/rules/rules";
import type { Child } from "../children/children";
import { AddChild } from "../household/AddChild";
import { whoSees } from "../household/guardians";
import { paths } from "../paths";
import { readerLine } from "../reviewer/words";
import { useReceipts } from "../rules/receipts";
import { PageHeading } from "../ui/PageHeading";

/** The parts of the settings, each with its present state. */
export function SettingsIndex({ child }: { child: Child }) {
  const { child_id: childId, name } = child;
  const now = new Date();
  const times = useGetTimes(childId);
  const household = useGetHousehold();
  const connections = useListConnections(childId);
  const receipts = useReceipts(childId);
  const requests = useGetRequests();
  const retention = useGetRetention(childId);
  const reviewer = useGetReviewer(childId);
  const address = useGetAddress();
  const codes = useGetRecoveryCodes();
  const parts: readonly PartLinkProps[] = [
    {
      to: paths.section(childId, "settings/times"),
      label: t`Times`,
      line: lineOf([times], () => times.data && timesLine(times.data.data, now)),
    },
    {
      to: paths.section(childId, "settings/assistants"),
      label: t`Assistants`,
      line: lineOf(
        [household, connections, receipts],
        () =>
          household.data &&
          connections.data &&
          receipts.data &&
          assistantsLine(child, household.data.data, connections.data.data, receipts.data.data, now),
      ),
    },
    {
      to: paths.section(childId, "settings/people"),
      label: t`People`,
      line: lineOf([household], () => household.data && whoSees(child, household.data.data.children)),
    },
    {
      to: paths.section(childId, "settings/ai-reader"),
      label: t`AI reader`,
      line: lineOf([reviewer], () => reviewer.data && readerLine(reviewer.data.data, now)),
    },
    {
      to: paths.section(childId, "settings/profile"),
      label: t`${name}'s profile`,
      line: lineOf(
        [retention, requests],
        () =>
          retention.data && requests.data && profileLine(child, retention.data.data, requests.data.data, now),
      ),
    },
    {
      to: paths.you(),
      label: t`You`,
      line: lineOf(
        [address, codes],
        () => address.data && codes.data && youLine(address.data.data, codes.data.data),
      ),
    },
  ];
  return (
    <div className="flex flex-col gap-8">
      <PageHeading>{t`App Settings`}</PageHeading>
      <ul aria-label={t`App Settings`} className="divide-y divide-line border-y border-line">
        {parts.map((part) => (
          <PartLink key={part.to} {...part} />
        ))}
      </ul>
      {household.data?.data.guardians_manage === true && <AddChild look="plain" />}
      <ChangesSection childId={childId} />
    </div>
  );
}

interface PartLinkProps {
  to: string;
  label: string;
  /** Empty while it is loading. */
  line: string;
}

function PartLink({ to, label, line }: PartLinkProps) {
  return (
    <li>
      <Link to={to} className="flex items-center gap-3 py-2.5 hover:bg-quiet">
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <span className="block font-bold">{label}</span>
          <span className="block min-h-5 text-sm text-muted">{line}</span>
        </span>
        <ChevronRightIcon className="size-5 shrink-0 text-muted" />
      </Link>
    </li>
  );
}

function lineOf(queries: readonly { isError: boolean }[], words: () => string | undefined): string {
  return words() ?? (queries.some(({ isError }) => isError) ? t`Could not be loaded.` : "");
}
