import type { Ref } from "react";

import type { Child } from "../children/children";
import { plainText } from "../format/plain-text";
import { Section } from "../ui/Section";

interface WhereItGoesProps {
  child: Child;
  named: { model: string; host: string };
  /** Whether the host is on the home network, as far as its name tells. */
  isPrivate: boolean;
  ref: Ref<HTMLElement>;
}

/** What a guardian reads before every word is sent to a model. */
export function WhereItGoes({ child, named: { model, host }, isPrivate, ref }: WhereItGoesProps) {
  return (
    <Section heading="Where every word goes" ref={ref} className="flex max-w-[65ch] flex-col gap-3">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-surface border border-line bg-surface px-4 py-3 [overflow-wrap:anywhere]">
        <dt className="text-muted">Model</dt>
        <dd className="font-bold">
          <bdi>{plainText(model)}</bdi>
        </dd>
        <dt className="text-muted">Server</dt>
        <dd className="font-bold">
          <bdi>{plainText(host)}</bdi>
        </dd>
        <dt className="text-muted">Where</dt>
        <dd className="font-bold">{isPrivate ? "On your home network" : "Outside of your home"}</dd>
      </dl>
      <p>
        When a conversation has ended, and every 30 minutes of a long one, every word of it goes to this
        model, with the topics that you block. Deleted conversations are not sent, and earlier ones are not
        either.
      </p>
      {isPrivate ? (
        <p>
          As far as the server&apos;s name tells, it is on your home network. One guardian is enough to switch
          it on, and any guardian of <bdi>{child.name}</bdi> can switch it off.
        </p>
      ) : (
        <p>
          Whoever runs that server can read every word, and may keep it. Every other guardian of{" "}
          <bdi>{child.name}</bdi> must agree first, or have been shown this page for seven days. Any of them
          can switch it off at once.
        </p>
      )}
      <p>It ends by itself if the model or its server changes.</p>
    </Section>
  );
}
