import type { Guardian } from "../api/identity-token";
import { Notice } from "../ui/Notice";

const REASON = {
  certificate: "its certificate isn't valid now",
  leads_elsewhere: "it leads to another computer now",
};

/**
 * Says to a guardian who uses the server's name for https why they can use the plain address for now, or that they have just been
 * signed out there.
 */
export function PlainAddressNotice({ guardian }: { guardian: Guardian }) {
  const { unusable_name: name, signed_out_at: plain } = guardian;
  if (name === undefined && plain === undefined) return null;
  return (
    <Notice className="mb-5 py-3 print:hidden">
      {name === undefined
        ? `You're signed out at ${plain}, which isn't encrypted. Use this address from now on.`
        : `You sign in at ${name.url}, but ${REASON[name.fault]}. Until that is mended this address is open for you. It isn't encrypted: anyone on your Wi-Fi could read along.`}
    </Notice>
  );
}
