import { paths } from "../paths";

/** The storage key of the e-mail address, from the request of a link until its use (product specification, section 3). */
export const EMAIL_KEY = "emailForSignIn";

/** The token of the link of the first run (`#setup=set_…`, 256 random bits); null if the fragment has none. */
export function setupToken(fragment: string): string | null {
  return /^#setup=(set_[A-Za-z0-9_-]{43})$/u.exec(fragment)?.[1] ?? null;
}

/** The token of a sign-in link's fragment (`#token=lnk_…`, 256 random bits); null if the fragment has none. */
export function linkToken(fragment: string): string | null {
  return /^#token=(lnk_[A-Za-z0-9_-]{43})$/u.exec(fragment)?.[1] ?? null;
}

/** The pages that links open, each with how it reads its fragment. */
const linkPages: readonly { page: string; read: (fragment: string) => string | null }[] = [
  { page: paths.finishSignIn(), read: linkToken },
  { page: paths.welcome(), read: setupToken },
  { page: paths.invitation(), read: invitationToken },
  { page: paths.pair(), read: pairingToken },
];

/** The address in this app of a link of Porchlight's that somebody pasted; null if the text is none. */
export function pastedLink(text: string): string | null {
  const fragment = /#\S+$/u.exec(text.trim())?.[0] ?? "";
  const page = linkPages.find(({ read }) => read(fragment) !== null)?.page;
  return page === undefined ? null : page + fragment;
}

/** The token of an e-mail about an address (`#token=adr_…` confirms it, `#stop=ads_…` stops it); null if the fragment has none. */
export function addressToken(fragment: string): string | null {
  const [, confirms, stops] =
    /^#(?:token=(adr_[A-Za-z0-9_-]{43})|stop=(ads_[A-Za-z0-9_-]{43}))$/u.exec(fragment) ?? [];
  return confirms ?? stops ?? null;
}

/** Whether an address's token stops a change, and doesn't confirm one. */
export function stopsAddress(token: string): boolean {
  return token.startsWith("ads_");
}

/** The token of an invitation's fragment (`#token=ivt_…`, 256 random bits); null if the fragment has none. */
export function invitationToken(fragment: string): string | null {
  return /^#token=(ivt_[A-Za-z0-9_-]{43})$/u.exec(fragment)?.[1] ?? null;
}

/** The token of a pairing's fragment (`#token=par_…`, 256 random bits); null if the fragment has none. */
export function pairingToken(fragment: string): string | null {
  return /^#token=(par_[A-Za-z0-9_-]{43})$/u.exec(fragment)?.[1] ?? null;
}
