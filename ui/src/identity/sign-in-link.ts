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

/** The token of an invitation's fragment (`#token=ivt_…`, 256 random bits); null if the fragment has none. */
export function invitationToken(fragment: string): string | null {
  return /^#token=(ivt_[A-Za-z0-9_-]{43})$/u.exec(fragment)?.[1] ?? null;
}
