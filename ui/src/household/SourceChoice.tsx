import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronRightIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";

import { STEPS, type Source, canBe, shortTitle, slugs } from "./connect";
import { appPicture, homePicture, nothingPicture, speakerPicture, toyPicture } from "./pictures";
import type { OwnAssistant, Plugin } from "./queries";
import type { Child } from "../children/children";
import { paths } from "../paths";

interface Tile {
  slug: string;
  kind: Source["kind"];
  name: ReactNode;
  picture: ReactNode;
}

const tiles: readonly Tile[] = [
  { slug: slugs.app, kind: "app", name: <Trans>Open WebUI or another app</Trans>, picture: appPicture },
  { slug: slugs.homeAssistant, kind: "home-assistant", name: "Home Assistant", picture: homePicture },
  { slug: slugs.speaker, kind: "speaker", name: <Trans>A home-made speaker</Trans>, picture: speakerPicture },
  { slug: slugs.toy, kind: "toy", name: <Trans>A toy with xiaozhi</Trans>, picture: toyPicture },
  { slug: slugs.nothing, kind: "nothing", name: <Trans>Nothing yet</Trans>, picture: nothingPicture },
];

/** Where a choice leads: to the questions, or for an assistant that has a key already to its steps. */
function pathTo(childId: number, slug: string, assistant: OwnAssistant | undefined): string {
  if (assistant === undefined) return paths.connect(childId, slug);
  const parts = slug === slugs.speaker ? [slug] : [slug, STEPS];
  return `${paths.connect(childId, ...parts)}?assistant=${assistant.assistant_id}`;
}

interface SourceChoiceProps {
  child: Child;
  /** One that has a key already. */
  assistant: OwnAssistant | undefined;
}

export function SourceChoice({ child: { child_id: childId }, assistant }: SourceChoiceProps) {
  const offered = tiles.filter(({ kind }) => assistant === undefined || canBe(assistant, kind));
  return (
    <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3 sm:grid-cols-[repeat(auto-fit,minmax(min(100%,14rem),1fr))] sm:gap-4">
      {offered.map(({ slug, name, picture }) => (
        <li key={slug} className="group max-sm:odd:last:col-span-full">
          <Link
            to={pathTo(childId, slug, assistant)}
            className="flex h-full min-h-36 flex-col max-sm:group-odd:group-last:min-h-24 max-sm:group-odd:group-last:flex-row max-sm:group-odd:group-last:flex-wrap items-center justify-center gap-3 rounded-surface border border-line bg-surface px-3 py-4 text-center font-bold text-balance text-ink [overflow-wrap:anywhere] hover:border-edge hover:bg-quiet"
          >
            {picture}
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface SoftwareChoiceProps {
  childId: number;
  plugins: readonly Plugin[];
  /** One that has a key already. */
  assistant: OwnAssistant | undefined;
}

export function SoftwareChoice({ childId, plugins, assistant }: SoftwareChoiceProps) {
  const rows = [
    ...plugins.map((plugin) => ({ slug: plugin.stack, name: shortTitle(plugin) })),
    { slug: slugs.otherSoftware, name: t`Something else` },
  ];
  return (
    <div className="flex max-w-[60ch] flex-col gap-3">
      <h2 className="font-bold">
        <Trans>Which software does it run?</Trans>
      </h2>
      <ul className="divide-y divide-line border-y border-line">
        {rows.map(({ slug, name }) => (
          <li key={slug}>
            <Link
              to={pathTo(childId, slug, assistant)}
              className="flex min-h-12 items-center gap-3 py-2.5 font-bold hover:bg-quiet"
            >
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{name}</span>
              <ChevronRightIcon className="size-5 shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
