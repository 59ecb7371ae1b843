/**
 * The sentences of a try's result. A search by phrases misses many bad answers, so no sentence says that something did not
 * happen because nothing was found.
 */
import { type MessageDescriptor, i18n } from "@lingui/core";
import { msg, plural, t } from "@lingui/core/macro";

import type { components } from "../api/generated/schema";
import { shortDate } from "../format/dates";
import { isolated } from "../format/isolated";
import { labelled } from "../format/labelled";
import { pageLocale } from "../format/locale";

type Schemas = components["schemas"];

export type Try = Schemas["Try"];
export type Answer = Schemas["TryAnswer"];
export type Preview = Schemas["TryPreview"];
export type Question = Schemas["TryQuestion"];
type Counts = Schemas["TryCounts"];
export type Check = Schemas["TryCheck"];
type Reason = Schemas["TryReason"];
export type Reader = Schemas["TryReviewer"];

/** The sentence that stands with each question, wherever it is shown. */
export function testQuestion(childName: string): string {
  return t`Test question. ${{ name: isolated(childName) }} didn't ask this.`;
}

/** Stands with each result. */
export function another(): string {
  return t`Another try can come out differently.`;
}

export function isOver({ state }: Pick<Try, "state">): boolean {
  return state !== "waiting" && state !== "running";
}

/** How many answers wait for the guardian. */
export function countToJudge(one: Try): number {
  return countsOf(one).reduce((total, { to_judge: waiting }) => total + waiting, 0);
}

function countsOf(one: Try): readonly Counts[] {
  return [one.about_own_topics, one.about_mandatory, one.about_conduct, one.harmless];
}

/** What became of it, and what is missing; empty if it was finished. */
export function stateSentences(one: Try): readonly string[] {
  const { state, reason, done, requests } = one;
  const name = isolated(one.assistant_name);
  switch (state) {
    case "waiting":
      return [t`Waiting to start`];
    case "running":
      return [t`${{ name }} is being asked: ${{ done }} of ${{ requests }} requests are done.`];
    case "finished":
      return [];
    case "interrupted":
    case "stopped":
    case "failed":
      return [
        ...(state === "interrupted" ? [t`Porchlight was restarted meanwhile.`] : []),
        ...(reason === undefined ? [] : [reasonSentence(reason)]),
        t`This is not the whole result.`,
      ];
  }
}

const reasons: Record<Reason, MessageDescriptor> = {
  guardian: msg`The try was stopped.`,
  budget: msg`Half of what the assistant may ask in a day was used up.`,
  assistant_changed: msg`The assistant or its AI was changed.`,
  unreachable: msg`The AI didn't answer.`,
  too_slow: msg`The AI didn't answer.`,
  key: msg`The AI's server refused the request.`,
  no_such_model: msg`The AI's server refused the request.`,
  too_many_requests: msg`The AI's server refused the request.`,
  server_error: msg`The AI didn't answer.`,
  not_an_answer: msg`The AI didn't answer.`,
  rules_not_added: msg`Something went wrong in Porchlight.`,
  storage: msg`Something went wrong in Porchlight.`,
};

export function reasonSentence(reason: Reason): string {
  return i18n._(reasons[reason]);
}

/** The figures, what seems wrong, and how far that can be relied on. */
interface Result {
  topics: readonly string[];
  others: readonly string[];
  flagged: readonly string[];
  about: readonly string[];
}

/** Nothing before the try is over. */
export function resultOf(one: Try): Result {
  if (!isOver(one)) return { topics: [], others: [], flagged: [], about: [] };
  return {
    topics: present(topicSentences(one)),
    others: present([conductSentence(one), harmlessSentence(one), personSentence(one)]),
    flagged: present(one.checks.map(flaggedSentence)),
    about: present([
      nothingRecognised(one),
      one.reviewer === undefined ? null : readerSentence(one.reviewer),
    ]),
  };
}

function present(sentences: readonly (string | null)[]): readonly string[] {
  return sentences.filter((sentence) => sentence !== null);
}

/** Whether no AI and no search decided anything: then the figures are the guardian's own. */
function isOwnJudgement({ reviewer, checks }: Try): boolean {
  return reviewer === undefined && checks.every(({ found }) => found === 0);
}

interface Parts {
  ok: string;
  /** After those that are. */
  notOk: string;
}

/** "20 made-up questions about your topics: 15 answers kept away from them, 2 didn't, 3 answers are not judged: please read them." */
function figures(questions: string, counts: Counts, { ok, notOk }: Parts): string | null {
  if (counts.asked === 0) return null;
  const parts = [
    ...(counts.ok > 0 || counts.not_ok > 0 ? [ok] : []),
    ...(counts.not_ok > 0 ? [notOk] : []),
    ...(counts.to_judge > 0
      ? [
          plural(
            { count: counts.to_judge },
            {
              one: "# answer is not judged: please read it",
              other: "# answers are not judged: please read them",
            },
          ),
        ]
      : []),
  ];
  if (counts.no_answer > 0)
    parts.push(plural({ count: counts.no_answer }, { one: "# got no answer", other: "# got no answer" }));
  const answers = new Intl.ListFormat(pageLocale(), { type: "unit" }).format(parts);
  return `${labelled(questions, answers)}.`;
}

function seemingly({ ok, notOk }: { ok: number; notOk: number }): Parts {
  return {
    ok: plural(ok, { one: "# answer seems OK", other: "# answers seem OK" }),
    notOk: plural(notOk, { one: "# seems not to be", other: "# seem not to be" }),
  };
}

function topicSentences(one: Try): readonly (string | null)[] {
  const parts = ({ ok, not_ok: notOk }: Counts): Parts =>
    isOwnJudgement(one)
      ? {
          ok: plural(ok, { one: "# answer kept away from them", other: "# answers kept away from them" }),
          notOk: plural(notOk, { one: "# didn't", other: "# didn't" }),
        }
      : seemingly({ ok, notOk });
  const { about_own_topics: own, about_mandatory: mandatory } = one;
  return [
    figures(
      plural(
        { count: own.asked },
        {
          one: "# made-up question about your topics",
          other: "# made-up questions about your topics",
        },
      ),
      own,
      parts(own),
    ),
    chosenByChance(one),
    figures(
      plural(
        { count: mandatory.asked },
        {
          one: "# made-up question near topics that are always blocked",
          other: "# made-up questions near topics that are always blocked",
        },
      ),
      mandatory,
      parts(mandatory),
    ),
  ];
}

function chosenByChance({ own_topics: all, own_topics_asked: asked }: Try | Preview): string | null {
  return all > asked && asked > 0
    ? t`Asked about ${{ asked }} of your ${{ all }} topics, chosen by chance.`
    : null;
}

function conductSentence(one: Try): string | null {
  const { about_conduct: counts } = one;
  const { ok, not_ok: notOk } = counts;
  const questions = plural(
    { count: counts.asked },
    {
      one: "# made-up question about how it behaves",
      other: "# made-up questions about how it behaves",
    },
  );
  return figures(questions, counts, seemingly({ ok, notOk }));
}

function harmlessSentence({ harmless }: Try): string | null {
  const { asked, ok, not_ok: notOk, to_judge: waiting, no_answer: without } = harmless;
  // Each is the guardian's word: a search that finds no refusal decides nothing.
  if (asked > 0 && waiting === 0 && without === 0)
    return plural(asked, {
      one: `It answered ${ok} of # harmless question.`,
      other: `It answered ${ok} of # harmless questions.`,
    });
  const questions = plural(asked, { one: "# harmless question", other: "# harmless questions" });
  return figures(questions, harmless, seemingly({ ok, notOk }));
}

/** Only what the answers positively say counts as a no. */
function personSentence(one: Try): string | null {
  const { said_computer: said } = one;
  const claims = one.checks.some(({ check, found }) => check === "is_a_person" && found > 0);
  if (said.asked === 0 || claims) return null;
  if (said.said === said.asked) return t`Asked if it is a person, it always said no.`;
  const { said: times, asked } = said;
  return t`Asked if it is a person, it said no in ${{ times }} of ${{ asked }} answers. Read the others yourself.`;
}

function flaggedSentence({ check, found }: Try["checks"][number]): string | null {
  // The sentence about harmless questions has those.
  if (found === 0 || check === "refuses") return null;
  return labelled(plural(found, { one: "In # answer", other: "In # answers" }), flagSentence(check));
}

const flags: Record<Check, MessageDescriptor> = {
  recites: msg`It seems to give away your topics or its instructions.`,
  is_a_person: msg`It seems to say that it is a person.`,
  secret: msg`It seems to promise a secret.`,
  parents_cannot_read: msg`It seems to say that parents can't read along.`,
  asks_for_data: msg`It seems to ask for personal data.`,
  refuses: msg`It seems to refuse a harmless question.`,
};

/** What a search for phrases found. */
export function flagSentence(check: Check): string {
  return i18n._(flags[check]);
}

/** Where a search for phrases found nothing. */
function nothingRecognised({ checks }: Try): string | null {
  return checks.some(({ asked, found }) => asked > 0 && found === 0)
    ? t`Our search misses many bad answers. Read the answers yourself.`
    : null;
}

/** Who judged about topics, and how reliable that is. */
export function readerSentence({ found, missed }: Reader): string {
  const all = found + missed;
  return t`The AI reader judged the answers about topics. In its test it found ${{ found }} of ${{ all }} places. It can be wrong: read them yourself.`;
}

/** Whether the AI got all rules; null if it was not tested. */
export function checkWordsSentence(one: Try): { sentence: string; isWarning: boolean } | null {
  const { check_words: words } = one;
  if (words === undefined) return null;
  if (words.beginning && words.middle && words.end)
    return { sentence: t`In this short test it repeated all three check words.`, isWarning: false };
  return {
    sentence: t`It may not get all your rules. Show this to the person who looks after your server.`,
    isWarning: true,
  };
}

/** What the prompt lacked; null if it had all that the app's own has. */
export function promptSentence(one: Try | Preview): string | null {
  const name = isolated(one.assistant_name);
  return one.app_settings
    ? null
    : t`Asked with your rules alone. In its app, ${{ name }} may answer differently.`;
}

/** "Rules changed on Nov 26. Not tried since."; null if they are the same, or were tried since. */
export function changedSentence({ rules_changed_at: at }: Try, isNewest: boolean, now: Date): string | null {
  if (at === undefined || !isNewest) return null;
  return t`Rules changed on ${{ date: shortDate(at, now) }}. Not tried since.`;
}

/** Whether it is the newest of its assistant. */
export function isNewestOf(one: Try, all: readonly Try[]): boolean {
  return all.every(
    (other) => other.assistant_id !== one.assistant_id || other.try_id <= one.try_id || other === one,
  );
}
