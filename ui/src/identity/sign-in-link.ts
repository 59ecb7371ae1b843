/** Where the e-mail waits between asking for a link and following it (product specification, section 3). */
export const EMAIL_KEY = "emailForSignIn";

/** The token of a sign-in link's fragment (`#token=lnk_…`, 256 random bits); null if the address is no such link. */
export function linkToken(fragment: string): string | null {
  return /^#token=(lnk_[A-Za-z0-9_-]{43})$/u.exec(fragment)?.[1] ?? null;
}
