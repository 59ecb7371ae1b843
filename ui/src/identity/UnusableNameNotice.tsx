import type { Guardian } from "../api/identity-token";
import { Notice } from "../ui/Notice";

const REASON = {
  certificate: "its certificate isn't valid now",
  leads_elsewhere: "it leads to another computer now",
};

/** Says why a guardian who uses the server's name for https can use the plain address for now. */
export function UnusableNameNotice({ name }: { name: Guardian["unusable_name"] }) {
  if (name === undefined) return null;
  return (
    <Notice className="mb-5 py-3 print:hidden">
      You sign in at {name.url}, but {REASON[name.fault]}. Until that is mended this address is open for you.
      It isn't encrypted: anyone on your Wi-Fi could read along.
    </Notice>
  );
}
