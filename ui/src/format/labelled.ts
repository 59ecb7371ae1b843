import { plural, t } from "@lingui/core/macro";

/** 'Kitchen: Hello' */
export function labelled(label: string, text: string): string {
  return t`${label}: ${text}`;
}

/** 'Sharks and 2 more' */
export function andMore(what: string, more: number): string {
  return more === 0 ? what : plural(more, { one: `${what} and # more`, other: `${what} and # more` });
}
