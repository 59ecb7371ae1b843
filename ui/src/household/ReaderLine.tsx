import { Link } from "react-router";

import { useNameOf } from "./queries";
import { type ReaderRequest, readerSentence } from "./requests";
import { paths } from "../paths";

/** A model that another guardian wants to read a child's conversations: one line, with a link to where every word goes. */
export function ReaderLine({ request }: { request: ReaderRequest }) {
  const name = useNameOf(request.child_id);
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <p className="min-w-0 [overflow-wrap:anywhere]">{readerSentence(request, name)}</p>
      <Link
        to={paths.section(request.child_id, "settings/ai-reader")}
        className="inline-flex min-h-11 items-center font-bold text-primary underline underline-offset-4"
      >
        Where every word goes
      </Link>
    </li>
  );
}
