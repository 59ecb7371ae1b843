import { Trans } from "@lingui/react/macro";

import { useNameOf } from "./queries";
import { erasureLine } from "./requests";
import type { ChildRequest } from "../children/child-request";
import { paths } from "../paths";
import { TextLink } from "../ui/TextLink";

/** A request to delete another child than the one on the page: one line, with a link to the whole request. */
export function ErasureLine({ request }: { request: ChildRequest }) {
  const name = useNameOf(request.child_id);
  const [what, when] = erasureLine(request, name, new Date());
  return (
    <li className="flex items-center gap-3">
      <p className="flex min-w-0 flex-1 gap-1" title={`${what} ${when}`}>
        <span className="truncate">{what}</span>
        <span className="shrink-0">{when}</span>
      </p>
      <TextLink to={paths.section(request.child_id, "summary")} className="shrink-0">
        <Trans>Details</Trans>
      </TextLink>
    </li>
  );
}
