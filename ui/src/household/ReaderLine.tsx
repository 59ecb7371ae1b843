import { Trans } from "@lingui/react/macro";

import { useNameOf } from "./queries";
import { type ReaderRequest, readerSentence } from "./requests";
import { paths } from "../paths";
import { TextLink } from "../ui/TextLink";

/** A model that another guardian wants to read a child's conversations: one line, with a link to where every word goes. */
export function ReaderLine({ request }: { request: ReaderRequest }) {
  const name = useNameOf(request.child_id);
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <p className="min-w-0 [overflow-wrap:anywhere]">{readerSentence(request, name)}</p>
      <TextLink to={paths.section(request.child_id, "settings/ai-reader")}>
        <Trans>Where every word goes</Trans>
      </TextLink>
    </li>
  );
}
