import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CircleAlertIcon } from "lucide-react";
import type { Ref } from "react";

import { type Figures, verdict } from "./words";
import { plainText } from "../format/plain-text";
import { runsWhere } from "../format/runs-where";
import { Section } from "../ui/Section";

interface WhereItGoesProps {
  named: { model: string; host: string };
  /** Whether the host is on the home network, as far as its name tells. */
  isPrivate: boolean;
  figures: Figures | undefined;
  ref: Ref<HTMLElement>;
}

/** What a guardian reads before every word is sent to a model: where, who can read it, and how good the model is. */
export function WhereItGoes({ named: { model, host }, isPrivate, figures, ref }: WhereItGoesProps) {
  return (
    <Section heading={t`Where every word goes`} ref={ref} className="flex max-w-[65ch] flex-col gap-3">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-surface border border-line bg-surface px-4 py-3 [overflow-wrap:anywhere]">
        <dt className="text-muted">
          <Trans>AI</Trans>
        </dt>
        <dd className="font-bold">
          <bdi>{plainText(model)}</bdi>
        </dd>
        <dt className="text-muted">
          <Trans>Server</Trans>
        </dt>
        <dd className="font-bold">
          <bdi>{plainText(host)}</bdi>
        </dd>
        <dd className="col-start-2 font-bold">{runsWhere(isPrivate)}</dd>
      </dl>
      {!isPrivate && (
        <p>
          <Trans>Whoever runs that server can read every word, and may keep it.</Trans>
        </p>
      )}
      {figures !== undefined && <Verdict figures={figures} />}
    </Section>
  );
}

/** Its id, for the switch that it disables. */
export const VERDICT = "reader-verdict";

function Verdict({ figures }: { figures: Figures }) {
  if (!figures.unfit) return <p id={VERDICT}>{verdict(figures)}</p>;
  return (
    <p id={VERDICT} className="flex items-start gap-2.5 font-bold text-danger">
      <CircleAlertIcon />
      {verdict(figures)}
    </p>
  );
}
