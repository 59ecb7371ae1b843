import { Trans } from "@lingui/react/macro";

import { useGetTalkStatus } from "../api/generated/client/talk/talk";
import { paths } from "../paths";
import { ButtonLink } from "../ui/ButtonLink";

/** For a page that is empty because no assistant talks with the child: the link to connect one. Else nothing. */
export function ConnectFirst({ childId }: { childId: number }) {
  const { data } = useGetTalkStatus(childId);
  return data?.data.state === "no_assistant" ? <ConnectLink childId={childId} /> : null;
}

export function ConnectLink({ childId }: { childId: number }) {
  return (
    <ButtonLink to={paths.connect(childId)}>
      <Trans>Connect an assistant</Trans>
    </ButtonLink>
  );
}
