import { expect, test } from "vitest";

import { addressToken, linkToken, pastedLink } from "./sign-in-link";

const RANDOM = "aA0-_".repeat(8) + "xyz";
const TOKEN = `lnk_${RANDOM}`;
const HOST = "https://porchlight.example";

test.each([
  ["as it was sent", `${HOST}/finish-sign-in#token=${TOKEN}`],
  ["with an escaped equals sign", `${HOST}/finish-sign-in#token%3D${TOKEN}`],
  ["with an escaped #", `${HOST}/finish-sign-in%23token=${TOKEN}`],
  ["escaped twice", `${HOST}/finish-sign-in%2523token%253D${TOKEN}`],
  ["with escaped signs in the token", `${HOST}/finish-sign-in#token=${TOKEN.replaceAll("_", "%5F")}`],
  ["with the end of a sentence", `${HOST}/finish-sign-in#token=${TOKEN}.`],
  ["in angle brackets", `<${HOST}/finish-sign-in#token=${TOKEN}>`],
  ["in the query", `${HOST}/finish-sign-in?token=${TOKEN}&utm_source=mail`],
  ["as quoted-printable", `${HOST}/finish-sign-in#token=3D${TOKEN}`],
  [
    "behind another server's link",
    `https://links.example/?u=${encodeURIComponent(`${HOST}/#token=${TOKEN}`)}`,
  ],
])("the token of a link is found %s", (_how, address) => {
  expect(linkToken(address)).toBe(TOKEN);
  expect(pastedLink(address)).toBe(`/finish-sign-in#token=${TOKEN}`);
});

test.each([
  ["without a fragment", `${HOST}/finish-sign-in`],
  ["with a part of the token", `${HOST}/finish-sign-in#token=${TOKEN.slice(0, -1)}`],
  ["with more than the token", `${HOST}/finish-sign-in#token=${TOKEN}a`],
  ["of another kind", `${HOST}/finish-sign-in#token=xyz_${RANDOM}`],
  ["with broken escapes", `${HOST}/finish-sign-in#token=%E0%A4%A%`],
])("a link %s has no token", (_what, address) => {
  expect(linkToken(address)).toBeNull();
  expect(pastedLink(address)).toBeNull();
});

test("each kind of link opens its page", () => {
  const pages = ["lnk_", "set_", "ivt_", "par_", "adr_", "ads_"].map((prefix) => pastedLink(prefix + RANDOM));

  expect(pages).toEqual([
    `/finish-sign-in#token=lnk_${RANDOM}`,
    `/welcome#setup=set_${RANDOM}`,
    `/invitation#token=ivt_${RANDOM}`,
    `/pair#token=par_${RANDOM}`,
    `/address#token=adr_${RANDOM}`,
    `/address#stop=ads_${RANDOM}`,
  ]);
  expect(addressToken(`#stop=ads_${RANDOM}.`)).toBe(`ads_${RANDOM}`);
});
