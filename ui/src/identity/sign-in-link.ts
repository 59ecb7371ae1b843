import { paths } from "../paths";

/** The storage key of the e-mail address, from the request of a link until its use (product specification, section 3). */
export const EMAIL_KEY = "emailForSignIn";

/** The kinds of tokens in links, each with the page that its link opens and the name before it in the fragment. */
const links = [
  { prefix: "lnk_", page: paths.finishSignIn(), name: "token" },
  { prefix: "set_", page: paths.welcome(), name: "setup" },
  { prefix: "ivt_", page: paths.invitation(), name: "token" },
  { prefix: "par_", page: paths.pair(), name: "token" },
  { prefix: "adr_", page: paths.address(), name: "token" },
  { prefix: "ads_", page: paths.address(), name: "stop" },
] as const;

type Prefix = (typeof links)[number]["prefix"];

/**
 * The token (256 random bits) with this prefix anywhere in an address; null if there is none. Mail programs escape signs of a
 * link, once or several times, move what stands behind the #, and add what stood behind the link.
 */
function findToken(address: string, prefix: Prefix): string | null {
  const pattern = new RegExp(`${prefix}[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])`, "u");
  return pattern.exec(unescaped(address))?.[0] ?? null;
}

/** Without escapes such as `%3D`, however often it was escaped. A sign that isn't ASCII is in no token. */
function unescaped(address: string): string {
  const once = address.replaceAll(/%([0-7][0-9a-f])/giu, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  return once === address ? once : unescaped(once);
}

/** The token of the link of the first run; null if the address has none. */
export function setupToken(address: string): string | null {
  return findToken(address, "set_");
}

/** The token of a sign-in link; null if the address has none. */
export function linkToken(address: string): string | null {
  return findToken(address, "lnk_");
}

/** The address in this app of a link of Porchlight's that somebody pasted, or that was changed; null if the text is none. */
export function pastedLink(text: string): string | null {
  for (const { prefix, page, name } of links) {
    const token = findToken(text, prefix);
    if (token !== null) return `${page}#${name}=${token}`;
  }
  return null;
}

/** The token of an e-mail about an address (`adr_…` confirms it, `ads_…` stops it); null if the address has none. */
export function addressToken(address: string): string | null {
  return findToken(address, "adr_") ?? findToken(address, "ads_");
}

/** Whether an address's token stops a change, and doesn't confirm one. */
export function stopsAddress(token: string): boolean {
  return token.startsWith("ads_");
}

/** The token of an invitation; null if the address has none. */
export function invitationToken(address: string): string | null {
  return findToken(address, "ivt_");
}

/** The token of a pairing; null if the address has none. */
export function pairingToken(address: string): string | null {
  return findToken(address, "par_");
}
