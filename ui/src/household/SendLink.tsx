import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";

import { Copyable } from "./Copyable";
import { ShareButton } from "./ShareButton";
import { isThisComputer } from "../identity/hosts";
import { useIdentity } from "../identity/identity";
import { Disclosure } from "../ui/Disclosure";
import { TextLink } from "../ui/TextLink";

interface SendLinkProps {
  /** The server's address, as other devices know it. */
  server: string;
  /** Of the page that opens there. It has no key in it. */
  path: string;
  /** What is connected, as the email's subject names it. */
  what: string;
}

/** A link to the same page for another computer, where the guardian signs in. The server has no email for it. */
export function SendLink({ server, path, what }: SendLinkProps) {
  const { identity } = useIdentity();
  const link = server.replace(/\/$/u, "") + path;
  const subject = `Porchlight: ${what}`;
  const address = identity.kind === "signed-in" ? identity.guardian.email : "";
  const email = `mailto:${encodeURIComponent(address)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(link)}`;
  return (
    <Disclosure
      summary={t`I'll do this on that computer: send me the link`}
      summaryClassName="font-bold text-primary"
    >
      <div className="flex flex-col gap-3 pb-2">
        {isThisComputer(new URL(server).hostname) && (
          <p className="max-w-[60ch]">{t`It opens on the computer that runs Porchlight only.`}</p>
        )}
        <Copyable text={link} className="rounded-control bg-quiet px-3 py-2 text-sm" />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <ShareButton label={t`Share the link`} data={{ title: subject, url: link }} />
          <TextLink href={email}>
            <Trans>Email it to myself</Trans>
          </TextLink>
        </div>
      </div>
    </Disclosure>
  );
}
