/**
 * A request for a sign-in link.
 */
export interface LinkRequest {
  /**
   * The guardian's address.
   * @maxLength 254
   */
  email: string;
}

/**
 * A link that was opened, with the address it was sent to.
 */
export interface SignInRequest {
  /**
   * The address that the link was sent to.
   * @maxLength 254
   */
  email: string;
  /**
   * The link's token, `lnk_…`.
   * @maxLength 200
   */
  token: string;
}

/**
 * One of the languages that Porchlight speaks.
 */
export type Language = (typeof Language)[keyof typeof Language];

export const Language = {
  en: "en",
  de: "de",
  fr: "fr",
  es: "es",
} as const;

/**
 * Why a home's name can't be used.
 */
export type NameFault = (typeof NameFault)[keyof typeof NameFault];

export const NameFault = {
  certificate: "certificate",
  leads_elsewhere: "leads_elsewhere",
} as const;

/**
 * The server's name for https, which cannot be used now.
 */
export interface UnusableName {
  /** The address with this name. */
  url: string;
  /** Why it cannot be used. */
  fault: NameFault;
}

/**
 * The signed-in guardian.
 */
export interface Guardian {
  /**
   * Never changes.
   * @maxLength 36
   */
  id: string;
  /**
   * The address to which sign-in links are sent, once it is verified.
   * @maxLength 254
   */
  email: string;
  /** `true` while the address is unverified: they typed it and have not used a link or code from an e-mail to it. */
  email_unverified?: boolean;
  /** The number of unacknowledged sign-ins on other devices; omitted if zero. */
  new_sign_ins?: number;
  /**
   * `true` when recovery codes were made on another device since this one signed in, until the notice is dismissed on this
   * device.
   */
  new_recovery_codes?: boolean;
  /** The guardian's name; omitted if none was given. */
  name?: string;
  /** The language of e-mails and notifications to them; omitted until they signed in or chose one. */
  language?: Language;
  /**
   * The server's name for https, while it cannot be used, for a guardian who has signed in there and who is at the plain address
   * now, which isn't encrypted.
   */
  unusable_name?: UnusableName;
  /**
   * The plain address, where the guardian has just been signed out everywhere because they signed in at the server's name for
   * https.
   */
  signed_out_at?: string;
}

/**
 * A new identity token.
 */
export interface IssuedIdentity {
  /** An OpenID Connect ID token, for `Authorization: Bearer`. */
  identity_token: string;
  /** Its lifetime in seconds. */
  expires_in: number;
  /** The guardian named by the token. */
  guardian: Guardian;
}

/**
 * A request to sign out.
 */
export interface SignOutRequest {
  /** Whether to end all of this guardian's sign-ins; by default only this one. */
  everywhere?: boolean;
  /** Whether to end the guardian's recovery codes, too: only with `everywhere`. */
  recovery_codes?: boolean;
}

/**
 * An external OpenID Connect provider.
 */
export interface OidcMethod {
  /** The text of the sign-in button. */
  name: string;
}

/**
 * The ways to sign in.
 */
export interface SignInMethods {
  /** Whether a link can be sent by e-mail. */
  email_link: boolean;
  /** `false` until this server is set up; omitted afterwards. */
  set_up?: boolean;
  /** The external provider, if one is configured. */
  oidc?: OidcMethod;
}

/**
 * How a guardian signed in.
 */
export type SignInVia = (typeof SignInVia)[keyof typeof SignInVia];

export const SignInVia = {
  link: "link",
  command_line: "command_line",
  oidc: "oidc",
  recovery_code: "recovery_code",
  setup: "setup",
  invitation: "invitation",
  pairing: "pairing",
} as const;

/**
 * One sign-in of a guardian, on one device.
 */
export interface SignIn {
  /**
   * Its id, for ending it.
   * @maxLength 36
   */
  sign_in_id: string;
  /** How they signed in. */
  via: SignInVia;
  /** The kind of device, from its browser's `User-Agent`; omitted if unknown. */
  device?: string;
  /**
   * `true` if it began on another device, wasn't confirmed on this one, and was acknowledged neither on this device nor on one
   * that acknowledges for all.
   */
  is_new?: boolean;
  /** When it began. */
  started_at: string;
  /** When an identity token was last issued for it. */
  used_at: string;
  /** Whether it is the caller's own. */
  current: boolean;
}

/**
 * A page of a list.
 */
export interface PageSignIn {
  /** In the order that the operation's summary says. */
  items: SignIn[];
  /** The cursor of the next page. Omitted on the last one, and for a list that has only one page. */
  next?: string;
}

/**
 * A child.
 */
export interface Child {
  /**
   * The child's id.
   * @minimum 1
   * @maximum 9007199254740991
   */
  child_id: number;
  /**
   * The child's name.
   * @maxLength 200
   */
  name: string;
}

/**
 * For how many days its conversations are kept; for ever if it is omitted.
 */
export type AddChildRequestRetentionDays =
  (typeof AddChildRequestRetentionDays)[keyof typeof AddChildRequestRetentionDays];

export const AddChildRequestRetentionDays = {
  NUMBER_30: 30,
  NUMBER_90: 90,
  NUMBER_365: 365,
} as const;

/**
 * A new child.
 */
export interface AddChildRequest {
  /**
   * Trimmed; not empty and without control characters.
   * @maxLength 200
   */
  name: string;
  /** For how many days its conversations are kept; for ever if it is omitted. */
  retention_days?: AddChildRequestRetentionDays;
  /**
   * The month in which it was born.
   * @maxLength 7
   * @pattern ^[1-9][0-9]{3}-(0[1-9]|1[0-2])$
   */
  born?: string;
  /** The language that it speaks with its assistants. */
  language?: Language;
}

/**
 * The 20 most frequent moods with the number of sessions of each, most frequent first.
 */
export type SummaryMoods = { [key: string]: number };

/**
 * The latest report of the connected assistants, as delivered: any JSON object of at most 64 KiB.
 */
export type SummaryReport = { [key: string]: unknown };

/**
 * The most recent session.
 */
export interface LastSession {
  /** When it began, or was first received. */
  date: string;
  /**
   * The topic, if the assistant gave one.
   * @maxLength 200
   */
  topic?: string;
  /**
   * The session's id.
   * @minimum 1
   * @maximum 9007199254740991
   */
  session_id: number;
}

/**
 * The number of sessions with a topic.
 */
export interface TopicCount {
  /**
   * The topic, as first written.
   * @maxLength 200
   */
  topic: string;
  /** The number of sessions. */
  sessions: number;
}

/**
 * Which assistant wrote the report, and when.
 */
export interface ReportFrom {
  /** When the server received it. */
  at: string;
  /**
   * The assistant's name then. Omitted if it is unknown.
   * @maxLength 200
   */
  assistant?: string;
}

/**
 * A child's summary.
 */
export interface Summary {
  /** The number of sessions. */
  sessions: number;
  /** The total duration of the ended sessions, in minutes. Each session counts for one day at most. */
  minutes: number;
  last_session?: LastSession;
  /**
   * The 50 most frequent topics, most frequent first.
   * @maxItems 50
   */
  topics: TopicCount[];
  /** The 20 most frequent moods with the number of sessions of each, most frequent first. */
  moods: SummaryMoods;
  /** The latest report of the connected assistants, as delivered: any JSON object of at most 64 KiB. */
  report?: SummaryReport;
  /** Whose report it is. Omitted if that is unknown. */
  report_from?: ReportFrom;
}

/**
 * Why a message could not be stored.
 */
export type NotKeptReason = (typeof NotKeptReason)[keyof typeof NotKeptReason];

export const NotKeptReason = {
  id_used_twice: "id_used_twice",
  invalid: "invalid",
  not_stored: "not_stored",
} as const;

/**
 * The number of a session's messages that could not be stored for one reason.
 */
export interface NotKept {
  reason: NotKeptReason;
  count: number;
}

/**
 * A learning session.
 */
export interface Session {
  /**
   * The session's id.
   * @minimum 1
   * @maximum 9007199254740991
   */
  session_id: number;
  /**
   * The child's id.
   * @minimum 1
   * @maximum 9007199254740991
   */
  child_id: number;
  /**
   * The topic, if the assistant gave one.
   * @maxLength 200
   */
  topic?: string;
  /** When it began, if the assistant gave a time. */
  start_time?: string;
  /** When it began: `start_time`, else the time of its first message. Omitted for a session that has neither. */
  date?: string;
  /** How long the conversation took, in seconds. Omitted if there was none. */
  duration?: number;
  /**
   * The beginning of the child's first message, for a session without a topic.
   * @maxLength 120
   */
  first_words?: string;
  /** The time of the newest message. Omitted if unknown. */
  last_message_time?: string;
  /** The number of messages, without those that nobody said. */
  message_count: number;
  /** Whether it has ended: the assistant ended it, or nothing arrived for the session's idle time. */
  ended: boolean;
  /**
   * The device it took place on, if the assistant gave one.
   * @maxLength 64
   */
  device?: string;
  /**
   * The name of the assistant that delivered it. Omitted if unknown.
   * @maxLength 200
   */
  assistant?: string;
  /**
   * `true` if a guardian said that somebody else talked, not the child. It then counts in no statistics, and not against the
   * daily limit.
   */
  not_child?: boolean;
  /**
   * The number of messages that were delivered but could not be stored. Omitted if zero; at most 100 per session
   * are counted.
   */
  not_kept?: NotKept[];
}

/**
 * A page of sessions.
 */
export interface SessionPage {
  /** Newest first. */
  sessions: Session[];
  /** The `before` of the next page. Omitted on the last one. */
  next?: string;
}

/**
 * What a message is that wasn't said in its conversation.
 */
export type MessageKind = (typeof MessageKind)[keyof typeof MessageKind];

export const MessageKind = {
  background: "background",
  earlier: "earlier",
  instructions: "instructions",
  reasoning: "reasoning",
  tool: "tool",
} as const;

/**
 * What a message said until the assistant corrected it.
 */
export interface EarlierText {
  /**
   * Who spoke, as the message said then; `assistant` for the assistant itself.
   * @maxLength 200
   */
  source?: string;
  /**
   * The text, exactly as delivered; at most 64 KiB.
   * @maxLength 65536
   */
  text_content: string;
  /** When it was corrected. */
  until: string;
}

/**
 * A message.
 */
export interface Message {
  /**
   * The assistant's id of the message, unique within the session.
   * @maxLength 200
   */
  message_id: string;
  /**
   * Who spoke; `assistant` for the assistant itself.
   * @maxLength 200
   */
  source?: string;
  /**
   * The text, exactly as delivered; at most 64 KiB.
   * @maxLength 65536
   */
  text_content?: string;
  /** When it was said. */
  timestamp: string;
  /**
   * The kind of content, as the assistant names it.
   * @maxLength 200
   */
  content_type?: string;
  /**
   * The kind of event, as the assistant names it.
   * @maxLength 200
   */
  event_type?: string;
  /** The offset in the recording, in samples. */
  start_sample?: number;
  /** Whether it was interrupted. The text then ends where the child stopped hearing it, or `heard` says where. */
  interrupted?: boolean;
  /**
   * The speaker: the name of a voice print, or the assistant's word for an unknown voice.
   * @maxLength 200
   */
  speaker?: string;
  /** Whether it was sent to the app, and it is not known yet whether the child heard it. */
  generated?: boolean;
  /** How much of an interrupted text the child heard, in UTF-16 code units. Omitted if the text ends there. */
  heard?: number;
  /** Whether the app wrote it in the assistant's name: no model answered it through this server. */
  from_app?: boolean;
  /** What it is, if it wasn't said in the conversation. Omitted for what was said. */
  kind?: MessageKind;
  /**
   * What it said before the assistant corrected it, oldest first: the first text, and at most two others. Omitted if there is
   * none. An answer that was cut short while it was spoken is no correction.
   */
  earlier?: EarlierText[];
}

/**
 * A page of messages.
 */
export interface MessagePage {
  /** In chronological order. */
  messages: Message[];
  /** The `before` of the previous page, if this page was requested with `around` or `before`. Omitted on the first one. */
  previous?: string;
  /** The `after` of the next page. Omitted on the last one. */
  next?: string;
}

/**
 * What to search for.
 */
export interface SearchRequest {
  /**
   * Words, each of which must match the beginning of a word in the message or in its session's topic. Words in quotes must
   * occur together, as whole words. Case, accents and character width are ignored. In scripts without spaces between words,
   * a match can begin anywhere.
   * @maxLength 200
   */
  words: string;
  /**
   * The `next` of the previous page.
   * @minLength 2
   * @maxLength 400
   * @pattern ^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$
   */
  after?: string;
  /**
   * The maximum number of matches; 50 by default.
   * @minimum 1
   * @maximum 500
   */
  limit?: number;
}

/**
 * A message that contains the words, or whose session's topic contains some of them. A session whose topic contains all words
 * is represented by its newest message, even if that contains none.
 */
export interface SearchMatch {
  /**
   * The session's id.
   * @minimum 1
   * @maximum 9007199254740991
   */
  session_id: number;
  /**
   * The session's topic, if the assistant gave one.
   * @maxLength 200
   */
  topic?: string;
  /** When the session began, if the assistant gave a time. */
  start_time?: string;
  /** When it began: `start_time`, else the time of its first message. */
  date?: string;
  /**
   * The message's id, for `around`.
   * @maxLength 200
   */
  message_id: string;
  /**
   * Who spoke; `assistant` for the assistant itself.
   * @maxLength 200
   */
  source?: string;
  /** The time of the message. */
  timestamp: string;
  /**
   * The text.
   * @maxLength 65536
   */
  text_content?: string;
  /** What it is, if it wasn't said in the conversation. Omitted for what was said. */
  kind?: MessageKind;
  /**
   * The positions of the words in the text: start and end in UTF-16 units, in order; at most 100. Empty if the words occur
   * only in the topic.
   */
  ranges: number[][];
}

/**
 * A page of matches.
 */
export interface SearchPage {
  /** Newest session first, newest message first. May be empty although there is a `next`. */
  matches: SearchMatch[];
  /** The `after` of the next page. Omitted if everything was read. */
  next?: string;
  /** How far back was searched: sessions that began before this time were not read yet. Omitted if everything was read. */
  searched_back_to?: string;
}

/**
 * What an alert says.
 */
export type AlertKind = (typeof AlertKind)[keyof typeof AlertKind];

export const AlertKind = {
  phrase: "phrase",
  outside_times: "outside_times",
  rules: "rules",
  not_kept: "not_kept",
  silent: "silent",
  reviewer: "reviewer",
} as const;

/**
 * Why talking is not allowed.
 */
export type WhyNot = (typeof WhyNot)[keyof typeof WhyNot];

export const WhyNot = {
  paused: "paused",
  quiet_hours: "quiet_hours",
  time_used_up: "time_used_up",
} as const;

/**
 * Whose messages are watched.
 */
export type WatchedSide = (typeof WatchedSide)[keyof typeof WatchedSide];

export const WatchedSide = {
  child: "child",
  assistant: "assistant",
  either: "either",
} as const;

/**
 * A phrase that the caller watches for.
 */
export interface WatchedPhrase {
  /**
   * The words, 2 to 80 characters. They match whole words that occur next to each other, in order, in one message. Case,
   * accents, width and punctuation are ignored. In scripts without spaces between words, a match can begin anywhere.
   * @maxLength 200
   */
  words: string;
  /** Whose messages are watched. */
  side: WatchedSide;
}

/**
 * What a model pointed at.
 */
export type Concern = (typeof Concern)[keyof typeof Concern];

export const Concern = {
  self_harm: "self_harm",
  hurt: "hurt",
  hurt_at_home: "hurt_at_home",
  sexual_content: "sexual_content",
  stranger: "stranger",
  danger: "danger",
  eating_and_body: "eating_and_body",
  blocked_topic: "blocked_topic",
  assistant: "assistant",
} as const;

/**
 * How soon a guardian should look, as the model says.
 */
export type Severity = (typeof Severity)[keyof typeof Severity];

export const Severity = {
  look: "look",
  urgent: "urgent",
} as const;

/**
 * What a model pointed at. It can be wrong.
 */
export interface Flagged {
  concern: Concern;
  severity: Severity;
  /** The model's name. */
  model: string;
  /** Whether the caller finds this alert, or this concern for this child, not worrying. */
  not_worrying: boolean;
}

/**
 * A message before or after an alert's message.
 */
export interface AlertNeighbour {
  /** Who spoke; `assistant` for the assistant itself. */
  source?: string;
  text_content?: string;
}

/**
 * What an alert's message said before the assistant corrected it.
 */
export interface AlertEarlierText {
  /** Who spoke, as the message said then; `assistant` for the assistant itself. */
  source?: string;
  text_content: string;
  /** The positions of the phrase, or of what the model pointed at, in the text: start and end in UTF-16 units. */
  ranges: number[][];
  /** When it was corrected. */
  until: string;
}

/**
 * A guardian, as shown to the guardians of a child.
 */
export interface Author {
  /** Whether this is the caller. */
  is_you: boolean;
  /**
   * Their name; omitted if none was given.
   * @maxLength 200
   */
  name?: string;
}

/**
 * The conversation was deleted because it was older than this number of days; omitted otherwise.
 */
export type AlertDeletedOlderThanDays =
  (typeof AlertDeletedOlderThanDays)[keyof typeof AlertDeletedOlderThanDays];

export const AlertDeletedOlderThanDays = {
  NUMBER_30: 30,
  NUMBER_90: 90,
  NUMBER_365: 365,
} as const;

/**
 * One of the caller's alerts. The conversation's words are read when the alert is shown.
 */
export interface Alert {
  /**
   * When it was stored, in microseconds since 1970, or a little later. Grows with arrival.
   * @minimum 1
   * @maximum 9007199254740991
   */
  alert_id: number;
  kind: AlertKind;
  /** When the server learned of it. */
  arrived_at: string;
  /**
   * When it happened. Of `outside_times` and of `rules` with `minutes`: when that conversation began to count. Of `silent`:
   * when the assistant last connected or delivered.
   */
  at: string;
  /** Whether the caller has not seen it. */
  unseen: boolean;
  /** Whether the caller has dealt with it. No other guardian learns of it. */
  dealt_with: boolean;
  /** The number of messages of the conversation that it is about. */
  count: number;
  /**
   * Omitted of `silent`.
   * @minimum 1
   * @maximum 9007199254740991
   */
  session_id?: number;
  /** The name of the assistant that it is about, or that the conversation was with; omitted if it is unknown. */
  assistant?: string;
  /**
   * The assistant that it is about, of `outside_times`, `rules` and `silent`; omitted if it is unknown.
   * @maxLength 36
   */
  assistant_id?: string;
  /** `true` of `silent` if it is about all of the child's assistants; then `assistant` and `assistant_id` are omitted. */
  all_assistants?: boolean;
  /**
   * Of `outside_times`: for how many minutes they talked while it was not allowed. Of `rules`: for how many they talked
   * without a confirmation of the current rules; omitted if the assistant refused the rules.
   */
  minutes?: number;
  /** Of `outside_times`: why talking was not allowed. */
  why?: WhyNot;
  /** The first message that it is about. */
  message_id?: string;
  /** The caller's phrase. */
  phrase?: WatchedPhrase;
  /** Of `reviewer`: what the model pointed at. */
  flagged?: Flagged;
  /** Who spoke; `assistant` for the assistant itself. */
  source?: string;
  /** The message. */
  text_content?: string;
  /** What the message is, if it wasn't said in the conversation. Omitted for what was said. */
  message_kind?: MessageKind;
  /** The positions of the phrase, or of what the model pointed at, in the text: start and end in UTF-16 units. */
  ranges?: number[][];
  /** The message before it. */
  before?: AlertNeighbour;
  /** The message after it. */
  after?: AlertNeighbour;
  /** `true` if the message was corrected later and no longer contains that. */
  corrected?: boolean;
  /** Of a corrected message: the first text that contained it. Omitted if none is kept. */
  earlier?: AlertEarlierText;
  /** Who deleted the conversation; omitted if it isn't deleted, or by a former guardian, or for its age. */
  deleted_by?: Author;
  /** The conversation was deleted because it was older than this number of days; omitted otherwise. */
  deleted_older_than_days?: AlertDeletedOlderThanDays;
  /** Until when the deleted conversation can be restored; omitted if it isn't deleted. */
  restorable_until?: string;
}

/**
 * A page of alerts.
 */
export interface AlertPage {
  /** Newest arrival first. May be empty although there is a `next`. */
  alerts: Alert[];
  /** The `before` of the next page. Omitted on the last one. */
  next?: string;
}

/**
 * A child's number of unseen alerts.
 */
export interface UnseenAlerts {
  /**
   * A child's number. It is never given to another child.
   * @minimum 1
   * @maximum 9007199254740991
   */
  child_id: number;
  /** At most 100. */
  unseen: number;
}

/**
 * A page of a list.
 */
export interface PageUnseenAlerts {
  /** In the order that the operation's summary says. */
  items: UnseenAlerts[];
  /** The cursor of the next page. Omitted on the last one, and for a list that has only one page. */
  next?: string;
}

/**
 * What the caller has seen.
 */
export interface SeenAlerts {
  /**
   * A child's number. It is never given to another child.
   * @minimum 1
   * @maximum 9007199254740991
   */
  child_id: number;
  /**
   * The `alert_id` of the newest alert that was seen.
   * @minimum 1
   * @maximum 9007199254740991
   */
  up_to: number;
}

/**
 * Whether the caller finds an alert not worrying.
 */
export interface NotWorrying {
  not_worrying: boolean;
}

/**
 * Whether the caller has dealt with an alert.
 */
export interface AlertDealtWith {
  /** `false` undoes it. */
  dealt_with: boolean;
}

/**
 * The concerns that the caller finds not worrying for a child.
 */
export interface NotWorryingConcerns {
  /** @maxItems 9 */
  concerns: Concern[];
}

/**
 * A phrase to try.
 */
export interface PhraseToTry {
  /**
   * The words, as in a watched phrase.
   * @maxLength 200
   */
  words: string;
  /** Whose messages are watched. */
  side: WatchedSide;
  /**
   * The `next` of the previous page.
   * @minLength 2
   * @maxLength 400
   * @pattern ^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$
   */
  after?: string;
}

/**
 * A message that would have caused an alert.
 */
export interface TriedMatch {
  /**
   * A session's number.
   * @minimum 1
   * @maximum 9007199254740991
   */
  session_id: number;
  message_id: string;
  /** RFC 3339; answered in UTC with up to microseconds. */
  timestamp: string;
  /** Who spoke; `assistant` for the assistant itself. */
  source?: string;
  text_content?: string;
  /** What the message is, if it wasn't said in the conversation. Omitted for what was said. */
  kind?: MessageKind;
  /** The positions of the phrase, or of what the model pointed at, in the text: start and end in UTF-16 units. */
  ranges: number[][];
}

/**
 * How many alerts a phrase would have caused in the conversations read so far.
 */
export interface TriedPhrase {
  /** The number of conversations that would have caused an alert, on this page. */
  count: number;
  /** The newest of them, at most 20. */
  matches: TriedMatch[];
  /** The start of the time that is read. */
  since: string;
  /** The `after` of the next page. Omitted if everything was read. */
  next?: string;
}

/**
 * A topic of a day.
 */
export interface TopicOfDay {
  /**
   * The topic, as first written.
   * @maxLength 200
   */
  topic: string;
  /** The number of sessions. */
  sessions: number;
  /** The total duration of these sessions, in seconds. */
  seconds: number;
}

/**
 * The number of sessions with a mood.
 */
export interface MoodCount {
  /**
   * The mood, as first written.
   * @maxLength 32
   */
  mood: string;
  /** The number of sessions. */
  sessions: number;
}

/**
 * A day in the child's time zone. A session counts on the day on which it began.
 */
export interface DayMetrics {
  /**
   * The day.
   * @minLength 10
   * @maxLength 10
   */
  date: string;
  /** The duration of conversations on this day, in seconds. Overlapping conversations count once. */
  seconds: number;
  /** The number of sessions that began. */
  sessions: number;
  /** How often the assistant spoke in them. */
  messages_of_assistant: number;
  /** How often the assistant was interrupted. */
  interruptions: number;
  /** Their topics by duration, longest first, at most 20. */
  topics: TopicOfDay[];
  /** The child's moods, most frequent first, at most 20. */
  moods: MoodCount[];
}

/**
 * The number of sessions with a duration in a range.
 */
export interface LengthCount {
  /** The start of the range, in minutes. */
  from_minutes: number;
  /** The end of the range, in minutes; omitted for the last range. */
  to_minutes?: number;
  /** The number of sessions. */
  sessions: number;
}

/**
 * A session about a topic.
 */
export interface SessionOfTopic {
  /**
   * The session's number.
   * @minimum 1
   * @maximum 9007199254740991
   */
  session_id: number;
  /** When it began, as far as known. */
  date: string;
}

/**
 * A topic, with its sessions.
 */
export interface TopicMetrics {
  /**
   * The topic, as first written.
   * @maxLength 200
   */
  topic: string;
  /** The number of sessions. */
  sessions: number;
  /** The total duration of these sessions, in seconds. */
  seconds: number;
  /** The newest of these sessions, newest first, at most 20. */
  newest: SessionOfTopic[];
}

/**
 * The statistics of a range of days.
 */
export interface Metrics {
  /**
   * The child's time zone, which the days are in.
   * @maxLength 64
   */
  time_zone: string;
  /**
   * The first day.
   * @minLength 10
   * @maxLength 10
   */
  from: string;
  /**
   * The last day.
   * @minLength 10
   * @maxLength 10
   */
  to: string;
  /** All days of the range, in order. */
  days: DayMetrics[];
  /** The duration of conversations by hour of the week, in seconds: seven lists, Monday first, of 24 hours each. */
  week: number[][];
  /** The number of sessions by duration, shortest first. */
  lengths: LengthCount[];
  /** The sessions' topics by duration, longest first, at most 50. */
  topics: TopicMetrics[];
  /** The child's moods, most frequent first. */
  moods: MoodCount[];
}

/**
 * A request to move a session to another child.
 */
export interface MoveRequest {
  /**
   * The child that it is moved to.
   * @minimum 1
   * @maximum 9007199254740991
   */
  child_id: number;
}

/**
 * Whether the child talked.
 */
export interface NotChildRequest {
  /** `true` if somebody else talked, not the child; `false` undoes it. */
  not_child: boolean;
}

/**
 * It was deleted because it was older than this number of days; omitted if a guardian deleted it.
 */
export type DeletedSessionOlderThanDays =
  (typeof DeletedSessionOlderThanDays)[keyof typeof DeletedSessionOlderThanDays];

export const DeletedSessionOlderThanDays = {
  NUMBER_30: 30,
  NUMBER_90: 90,
  NUMBER_365: 365,
} as const;

/**
 * A session in 'Recently deleted'.
 */
export interface DeletedSession {
  /**
   * The session's number.
   * @minimum 1
   * @maximum 9007199254740991
   */
  session_id: number;
  /**
   * The topic, if the assistant gave one.
   * @maxLength 200
   */
  topic?: string;
  /** When it began, if the assistant gave a time. */
  start_time?: string;
  /** When it began, as far as known. */
  date: string;
  /** The time of the newest message; omitted if unknown. */
  last_message_time?: string;
  /** The number of messages. */
  message_count: number;
  /** When it was deleted. */
  deleted_at: string;
  /**
   * When it is erased permanently; until then it can be restored. This is seven days after it was deleted, and after
   * the end of the day (UTC) on which it was shown here to each other guardian, at the latest 90 days after it was deleted. Until
   * it was shown to all of them, the latest time is given; the caller is told of another guardian's day once it is over. If words arrive in it later, both periods begin anew, and every guardian must be shown it.
   */
  restorable_until: string;
  /** `true` while the caller has not been shown it here. Whoever deleted it needs to be shown it only if words arrived later. */
  unseen?: boolean;
  /** Who deleted it; omitted for a former guardian, and if it was deleted for its age. */
  by?: Author;
  /** It was deleted because it was older than this number of days; omitted if a guardian deleted it. */
  older_than_days?: DeletedSessionOlderThanDays;
}

/**
 * A page of 'Recently deleted'.
 */
export interface DeletedPage {
  /** Most recently deleted first. */
  items: DeletedSession[];
  /** Whether the caller may erase them permanently, as the child's only guardian. */
  may_erase: boolean;
  /** The `before` of the next page. Omitted on the last one. */
  next?: string;
}

/**
 * The sessions in 'Recently deleted' that were shown.
 */
export interface ShownDeletedRequest {
  /**
   * The sessions.
   * @maxItems 500
   * @items.minimum 1
   * @items.maximum 9007199254740991
   */
  sessions: number[];
}

/**
 * A recovery code that was typed.
 */
export interface RecoverySignInRequest {
  /**
   * The code as typed; hyphens, white space and case are ignored.
   * @maxLength 64
   */
  code: string;
}

/**
 * A guardian's remaining recovery codes.
 */
export interface RecoveryCodes {
  /** The number of unused codes. */
  left: number;
  /** When they were made; omitted if none ever were. */
  made_at?: string;
  /** `true` when they were made on another device since this one signed in, until the notice is dismissed on this device. */
  are_new?: boolean;
}

/**
 * Recovery codes, shown once.
 */
export interface NewRecoveryCodes {
  /** Ten, such as `K7QX-3M0V-9T2D-HC1A`. Each works once. */
  codes: string[];
}

/**
 * A way to step up.
 */
export type StepUpWay = (typeof StepUpWay)[keyof typeof StepUpWay];

export const StepUpWay = {
  email: "email",
  other_device: "other_device",
  recovery_code: "recovery_code",
  provider: "provider",
} as const;

/**
 * Whether a guardian has stepped up in this browser, and how they can.
 */
export interface StepUp {
  /** When the step-up expires; omitted if they haven't. */
  until?: string;
  /** `true` while a request to the guardian's other devices is pending. */
  is_asking?: boolean;
  /**
   * `true` while no account at the external provider is linked. After stepping up, the guardian links theirs by opening
   * `/auth/oidc/start?step_up=true` as a page.
   */
  can_link?: boolean;
  /** The ways available to this guardian, the easiest first. If the list is empty, the administrator can make a sign-in link. */
  ways: StepUpWay[];
}

/**
 * The source of a typed code.
 */
export type CodeFrom = (typeof CodeFrom)[keyof typeof CodeFrom];

export const CodeFrom = {
  email: "email",
  recovery_code: "recovery_code",
} as const;

/**
 * A code that proves that it is the guardian.
 */
export interface StepUpRequest {
  /** The source of the code. */
  way: CodeFrom;
  /**
   * The code as typed.
   * @maxLength 64
   */
  code: string;
}

/**
 * The result of stepping up.
 */
export interface SteppedUp {
  /** When the step-up expires. */
  until: string;
}

/**
 * A link and its QR code.
 */
export interface ShownLink {
  /** The link, which works once. */
  link: string;
  /** The rows of its QR code from top to bottom: `1` is dark, `0` is light. It needs a light border of four modules. */
  qr_code: string[];
}

/**
 * A new pairing.
 */
export interface NewPairing {
  /** The link and QR code for the other device. */
  shown: ShownLink;
  /** When it expires. */
  until: string;
}

/**
 * The state of a pairing.
 */
export type PairingState = (typeof PairingState)[keyof typeof PairingState];

export const PairingState = {
  waiting: "waiting",
  claimed: "claimed",
  signed_in: "signed_in",
  ended: "ended",
} as const;

/**
 * The other device.
 */
export interface Device {
  /** Its kind, from its browser's `User-Agent`; omitted if unknown. */
  device?: string;
  /** The IP address of its request. */
  address?: string;
  /** The time of its request. */
  at: string;
}

/**
 * A pairing, on the device that is signed in.
 */
export interface Pairing {
  /** Its state. */
  state: PairingState;
  /** The device that scanned the code. */
  device?: Device;
  /** When it expires. */
  until?: string;
}

/**
 * The digits that the other device shows.
 */
export interface TypedDigits {
  /**
   * The digits as typed; white space is ignored.
   * @maxLength 64
   */
  digits: string;
}

/**
 * A QR code that was scanned.
 */
export interface PairingToken {
  /**
   * The token in its link, `par_…`.
   * @maxLength 200
   */
  token: string;
}

/**
 * A pairing, on the device that scanned the code.
 */
export interface ClaimedPairing {
  /** The secret with which this device completes the pairing, `clm_…`. */
  claim: string;
  /** The guardian's name, or otherwise their address. */
  whose: string;
  /** The device that showed the code. */
  shown_by: Device;
  /** Three digits, to be typed on the device that showed the code. */
  digits: string;
  /** When it expires. */
  until: string;
}

/**
 * A request to complete a pairing.
 */
export interface PairingClaim {
  /**
   * The claim, `clm_…`.
   * @maxLength 200
   */
  claim: string;
}

/**
 * Digits to show, for the guardian's other devices.
 */
export interface AskedDigits {
  /** Three digits, to be typed on the other device. */
  digits: string;
  /** When it expires. */
  until: string;
}

/**
 * A device that asks for a step-up.
 */
export interface AskingDevice {
  /**
   * The id of its sign-in.
   * @maxLength 36
   */
  sign_in_id: string;
  /** The device. */
  device: Device;
}

/**
 * A page of a list.
 */
export interface PageAskingDevice {
  /** In the order that the operation's summary says. */
  items: AskingDevice[];
  /** The cursor of the next page. Omitted on the last one, and for a list that has only one page. */
  next?: string;
}

/**
 * A requested change of a guardian's address.
 */
export interface AddressChange {
  /** The new address. */
  email: string;
  /** When it was requested. */
  asked_at: string;
  /** Whether the link in the e-mail to the new address was used. */
  answered: boolean;
  /** The earliest time at which it takes effect, unless it is cancelled. */
  due_at: string;
}

/**
 * A guardian's address.
 */
export interface OwnAddress {
  /** The address. */
  email: string;
  /** The pending change, if any. */
  change?: AddressChange;
}

/**
 * A request to change the guardian's address.
 */
export interface NewAddressRequest {
  /**
   * The new address.
   * @maxLength 254
   */
  email: string;
}

/**
 * The language of e-mails and notifications.
 */
export interface LanguageChoice {
  /** The language. */
  language: Language;
}

/**
 * The token in the link of an e-mail about an address.
 */
export interface AddressLink {
  /**
   * `adr_…` from the e-mail to the new address, or `ads_…` from the e-mail to the old one.
   * @maxLength 200
   */
  token: string;
}

/**
 * What a link did.
 */
export type AddressOutcome = (typeof AddressOutcome)[keyof typeof AddressOutcome];

export const AddressOutcome = {
  confirmed: "confirmed",
  stopped: "stopped",
} as const;

/**
 * What a link about an address did.
 */
export interface AddressLinkUsed {
  /** What it did. */
  outcome: AddressOutcome;
}

/**
 * The guardians of a child.
 */
export interface GuardiansOfChild {
  /**
   * The child's id.
   * @minimum 1
   * @maximum 9007199254740991
   */
  child_id: number;
  /** Its guardians, the caller first. */
  guardians: Author[];
}

/**
 * What an assistant's key is for. It is fixed when the assistant is connected.
 */
export type KeyKind = (typeof KeyKind)[keyof typeof KeyKind];

export const KeyKind = {
  plug_in: "plug_in",
  gateway: "gateway",
} as const;

/**
 * What chooses a child.
 */
export interface ChildSuffix {
  /**
   * The child's id.
   * @minimum 1
   * @maximum 9007199254740991
   */
  child_id: number;
  /** Appended to a model's name, for example `@Mia`. */
  suffix: string;
}

/**
 * The model's server that an assistant uses.
 */
export interface OwnUpstream {
  /** Its name. */
  name: string;
  /** Its host, to which what is said goes. */
  host: string;
  /** How the assistant's app chooses the child by the model's name; omitted if it has one child, or also another guardian's. */
  suffixes?: ChildSuffix[];
}

/**
 * An assistant of at least one of the caller's children.
 */
export interface OwnAssistant {
  /**
   * The assistant's id.
   * @maxLength 36
   */
  assistant_id: string;
  /** The assistant's name. */
  name: string;
  /** When it was added. */
  added_at: string;
  /**
   * The caller's children that it talks with.
   * @items.minimum 1
   * @items.maximum 9007199254740991
   */
  children: number[];
  /** Whether it talks with no other children, so that the caller may change and revoke it. */
  exclusive: boolean;
  /** `true` if a former guardian of one of these children has seen its key. */
  key_exposed?: boolean;
  /** What its key is for. */
  kind: KeyKind;
  /** The model's server that it uses; omitted if it uses none. */
  upstream?: OwnUpstream;
}

/**
 * A voice stack with a plug-in.
 */
export interface Plugin {
  /** Its name in the download URL. */
  stack: string;
  /** Its name as its makers write it. */
  title: string;
  /** What to do after downloading the plug-in. */
  steps: string[];
}

/**
 * The API that a model's server has.
 */
export type UpstreamForm = (typeof UpstreamForm)[keyof typeof UpstreamForm];

export const UpstreamForm = {
  openai: "openai",
  ollama: "ollama",
} as const;

/**
 * A server with models, which the administrator added.
 */
export interface Upstream {
  /** Its name. */
  name: string;
  /** Its host, with the port unless it is the scheme's default. */
  host: string;
  form: UpstreamForm;
  /** The models that assistants may use; empty for all that it has. */
  models: string[];
}

/**
 * What the caller can manage.
 */
export interface Household {
  /** Whether guardians manage this in the browser. Otherwise only the administrator does, and all changes get 403. */
  guardians_manage: boolean;
  /** The server's URL for assistants. */
  server: string;
  /** The caller's children, each with its guardians. */
  children: GuardiansOfChild[];
  /** The assistants, the earliest added first. */
  assistants: OwnAssistant[];
  /** The plug-ins, which connect an assistant without writing code. */
  plugins: Plugin[];
  /** The base URL for apps that speak OpenAI's API; omitted if there is no model's server to choose. */
  gateway?: string;
  /** The models' servers that the caller can choose for an assistant. */
  upstreams: Upstream[];
  /** When a scheduled backup of this server last succeeded; omitted if none ever did. */
  last_backup_at?: string;
  /**
   * When a guardian without a child last accepted an invitation that the child's other guardians can still answer; omitted
   * otherwise.
   */
  accepted_invitation_at?: string;
}

/**
 * A name.
 */
export interface NameRequest {
  /**
   * Trimmed; not empty and without control characters.
   * @maxLength 200
   */
  name: string;
}

/**
 * A model's server, and where it is.
 */
export interface UpstreamChoice {
  /**
   * Its name.
   * @maxLength 200
   */
  name: string;
  /**
   * The host that the guardian was shown.
   * @maxLength 300
   */
  host: string;
}

/**
 * An assistant to connect.
 */
export interface ConnectRequest {
  /**
   * Its name, unique among the caller's assistants.
   * @maxLength 200
   */
  name: string;
  /**
   * The caller's children that it may talk with.
   * @minItems 1
   * @maxItems 100
   * @items.minimum 1
   * @items.maximum 9007199254740991
   */
  children: number[];
  /** The model's server that it uses; omitted for none. */
  upstream?: UpstreamChoice;
}

/**
 * A new assistant and its key.
 */
export interface ConnectedAssistant {
  /** The assistant. */
  assistant: OwnAssistant;
  /** The key, `ast_…`. It can't be requested again. */
  key: string;
}

/**
 * What a request asks for.
 */
export type RequestKind = (typeof RequestKind)[keyof typeof RequestKind];

export const RequestKind = {
  deletion: "deletion",
  retention: "retention",
} as const;

/**
 * For how many days conversations would be kept; omitted for a deletion.
 */
export type ChildRequestDays = (typeof ChildRequestDays)[keyof typeof ChildRequestDays];

export const ChildRequestDays = {
  NUMBER_30: 30,
  NUMBER_90: 90,
  NUMBER_365: 365,
} as const;

/**
 * The caller's answer to a request, and when the request takes effect.
 */
export interface Answers {
  /** Whether it was shown to the caller. */
  shown: boolean;
  /** Whether the caller has confirmed it. */
  confirmed: boolean;
  /**
   * When it takes effect unless a guardian cancels it: a whole day (UTC), more than seven days after it was shown to every
   * other guardian. Omitted until then; the caller is told of another guardian's day once it is over.
   */
  due_at?: string;
}

/**
 * A request about a child, which waits for its other guardians.
 */
export interface ChildRequest {
  /**
   * The child's id.
   * @minimum 1
   * @maximum 9007199254740991
   */
  child_id: number;
  /** What is asked for. */
  kind: RequestKind;
  /**
   * For `If-Match`, and for reporting that it was shown. It changes if something else is asked for, and with the conversations
   * that a deletion would delete.
   * @maxLength 36
   */
  edition: string;
  /** The requesting guardian; omitted if unknown. */
  by?: Author;
  /** When it was made or last changed. */
  at: string;
  /** For how many days conversations would be kept; omitted for a deletion. */
  days?: ChildRequestDays;
  /** The number of conversations that would be deleted. For a deletion it includes those in 'Recently deleted'. */
  conversations: number;
  /**
   * The day on which the first of them began, in the child's time zone; omitted without conversations, and unless it is a
   * deletion.
   * @minLength 10
   * @maxLength 10
   */
  first_day?: string;
  /**
   * The day on which the last of them began; omitted like `first_day`.
   * @minLength 10
   * @maxLength 10
   */
  last_day?: string;
  /**
   * The child's name and its names of the last 30 days, newest first. Empty unless it is a deletion.
   * @items.maxLength 200
   */
  names: string[];
  /** Whether the caller has seen and confirmed it, and when it takes effect. */
  answers: Answers;
}

/**
 * Another guardian wants a model to read a child's conversations, and the caller has not agreed.
 */
export interface ReviewerRequest {
  /**
   * The child's id.
   * @minimum 1
   * @maximum 9007199254740991
   */
  child_id: number;
  /** The guardian who switched it on; omitted if unknown. */
  by?: Author;
  /** When it was switched on. */
  at: string;
}

/**
 * The address of the guardian who accepted an invitation.
 */
export interface AcceptedAddress {
  /**
   * The address.
   * @maxLength 254
   */
  email: string;
  /** Whether it is verified; otherwise it is only what they typed. */
  verified: boolean;
}

/**
 * An invitation that has not taken effect.
 */
export interface Invitation {
  /**
   * The invitation's id.
   * @maxLength 36
   */
  invitation_id: string;
  /**
   * For `If-Match`, and for reporting that it was shown. It changes when the guardians are asked again.
   * @maxLength 36
   */
  edition: string;
  /** The inviting guardian; omitted if unknown. */
  by?: Author;
  /**
   * The caller's children in it.
   * @items.minimum 1
   * @items.maximum 9007199254740991
   */
  children: number[];
  /**
   * Where the link was sent; omitted if it was shown instead.
   * @maxLength 254
   */
  email?: string;
  /** When it was made. */
  at: string;
  /** Whether somebody has accepted it. */
  accepted: boolean;
  /** The name of the guardian who accepted it; omitted if unknown. */
  accepted_by?: string;
  /** The address of the guardian who accepted it; omitted if unknown. */
  accepted_address?: AcceptedAddress;
  /** Whether the caller has seen and confirmed it, and when it takes effect. */
  answers: Answers;
}

/**
 * The pending requests about the caller's children.
 */
export interface Requests {
  /** Requests to delete a child, or to keep its conversations for a shorter time. */
  requests: ChildRequest[];
  /** Models that other guardians want to read conversations, and that wait for the caller's agreement. */
  reviewers: ReviewerRequest[];
  /** Invitations, oldest first. */
  invitations: Invitation[];
}

/**
 * An edition of a request that was shown.
 */
export interface ShownRequest {
  /**
   * The child's id.
   * @minimum 1
   * @maximum 9007199254740991
   */
  child_id: number;
  /** What the request asks for. */
  kind: RequestKind;
  /**
   * The request's `edition`.
   * @maxLength 36
   */
  edition: string;
}

/**
 * An edition of an invitation that was shown.
 */
export interface ShownInvitation {
  /**
   * The invitation's id.
   * @maxLength 36
   */
  invitation_id: string;
  /**
   * The invitation's `edition`.
   * @maxLength 36
   */
  edition: string;
}

/**
 * The requests that were shown to the caller.
 */
export interface ShownRequests {
  /**
   * The requests about children.
   * @maxItems 100
   */
  requests: ShownRequest[];
  /**
   * The invitations.
   * @maxItems 100
   */
  invitations: ShownInvitation[];
}

/**
 * What an assistant's deliveries contained.
 */
export type ConnectionCheck = (typeof ConnectionCheck)[keyof typeof ConnectionCheck];

export const ConnectionCheck = {
  times: "times",
  repeated_ids: "repeated_ids",
  correction: "correction",
  completion: "completion",
  receipt: "receipt",
} as const;

/**
 * Why something that an assistant sent was refused, in part or as a whole.
 */
export type ConnectionRefusal = (typeof ConnectionRefusal)[keyof typeof ConnectionRefusal];

export const ConnectionRefusal = {
  child: "child",
  child_missing: "child_missing",
  host: "host",
  server_clock: "server_clock",
  assistant_clock: "assistant_clock",
  reused_id: "reused_id",
  malformed: "malformed",
  limit: "limit",
  model_name: "model_name",
  model: "model",
} as const;

/**
 * A plug-in that an assistant runs.
 */
export interface ConnectionPlugin {
  /** The voice stack's name, as in the plug-in's download. */
  name: string;
  version: string;
  /** The version that this server hands out. */
  current_version: string;
  /** Whether that is a newer one. */
  is_older: boolean;
}

/**
 * How an assistant of the child is connected.
 */
export interface Connection {
  /**
   * The assistant's id.
   * @maxLength 36
   */
  assistant_id: string;
  /** When it last delivered something of the child; omitted if it never did. */
  heard_at?: string;
  /** Whether it reports that it follows the current list of topics, or the gateway put it into the prompt. */
  follows_rules: boolean;
  /** What its deliveries contained since the server started. */
  seen: ConnectionCheck[];
  /**
   * The last refusal since the server started; omitted if there was none. If it is after `heard_at`, nothing has arrived
   * since. One that isn't this child's is shown only if the assistant talks with no other guardian's children.
   */
  refused?: ConnectionRefusal;
  /** When that was; omitted without a refusal. */
  refused_at?: string;
  /** How many settings of its latest chat request the gateway didn't pass on, at most 20; omitted if there were none. */
  settings_dropped?: number;
  /** The plug-in that called last since the server started; omitted if none did. */
  plugin?: ConnectionPlugin;
}

/**
 * A page of a list.
 */
export interface PageConnection {
  /** In the order that the operation's summary says. */
  items: Connection[];
  /** The cursor of the next page. Omitted on the last one, and for a list that has only one page. */
  next?: string;
}

/**
 * The model's server that an assistant is to use.
 */
export interface ChooseUpstreamRequest {
  /** Omitted for none. */
  upstream?: UpstreamChoice;
}

/**
 * An invitation to send.
 */
export interface InviteRequest {
  /**
   * The caller's children to share.
   * @minItems 1
   * @maxItems 100
   * @items.minimum 1
   * @items.maximum 9007199254740991
   */
  children: number[];
  /**
   * Where to send the link; if omitted, the response contains it.
   * @maxLength 254
   */
  email?: string;
}

/**
 * A new invitation.
 */
export interface NewInvitation {
  /** The link and its QR code, unless it was sent by e-mail. It works once, for fourteen days. It can't be requested again. */
  shown?: ShownLink;
}

/**
 * The token of an invitation's link.
 */
export interface InvitationToken {
  /**
   * The link's token, `ivt_…`.
   * @maxLength 200
   */
  token: string;
}

/**
 * What the holder of an invitation's link can see.
 */
export interface OpenedInvitation {
  /** The inviting guardian's name. */
  by: string;
  /** Whether the link was sent by e-mail. Otherwise accepting it requires an address. */
  by_email: boolean;
}

/**
 * A new guardian who accepts an invitation.
 */
export interface AcceptRequest {
  /**
   * The link's token, `ivt_…`.
   * @maxLength 200
   */
  token: string;
  /**
   * Their name.
   * @maxLength 200
   */
  name: string;
  /**
   * Their address, unless the link was sent by e-mail. It stays unverified until they use a link or code from an e-mail to it.
   * @maxLength 254
   */
  email?: string;
}

/**
 * For how many days the children's conversations are kept; for ever if it is omitted.
 */
export type SetupRequestRetentionDays =
  (typeof SetupRequestRetentionDays)[keyof typeof SetupRequestRetentionDays];

export const SetupRequestRetentionDays = {
  NUMBER_30: 30,
  NUMBER_90: 90,
  NUMBER_365: 365,
} as const;

/**
 * A child of the first guardian.
 */
export interface SetupChild {
  /**
   * The child's name.
   * @maxLength 200
   */
  name: string;
  /**
   * The month in which it was born.
   * @maxLength 7
   * @pattern ^[1-9][0-9]{3}-(0[1-9]|1[0-2])$
   */
  born?: string;
  /** The language that it speaks with its assistants. */
  language?: Language;
}

/**
 * The first guardian and their children.
 */
export interface SetupRequest {
  /**
   * The link's token, `set_…`.
   * @maxLength 200
   */
  token: string;
  /**
   * The first guardian's name.
   * @maxLength 200
   */
  name: string;
  /**
   * Their address. It is unverified until they use a link or code from an e-mail to it.
   * @maxLength 254
   */
  email: string;
  /**
   * The children, one to twenty.
   * @minItems 1
   * @maxItems 20
   */
  children: SetupChild[];
  /**
   * The children's time zone, by its name in the time zone database: the one of the device. If it is unknown or omitted, the
   * server's is used.
   * @maxLength 64
   */
  time_zone?: string;
  /** For how many days the children's conversations are kept; for ever if it is omitted. */
  retention_days?: SetupRequestRetentionDays;
}

/**
 * A setup link, to continue the setup.
 */
export interface SetupSignInRequest {
  /**
   * The link's token, `set_…`.
   * @maxLength 200
   */
  token: string;
}

/**
 * A session that has ended, and how it went.
 */
export interface CompletedActivity {
  /**
   * The session's id.
   * @minimum 1
   * @maximum 9007199254740991
   */
  session_id: number;
  /**
   * The day on which the session began, in the child's time zone.
   * @minLength 10
   * @maxLength 10
   */
  date: string;
  /** When it ended, as far as known. */
  ended_at: string;
  /**
   * The topic; empty if the assistant gave none.
   * @maxLength 200
   */
  topic: string;
  /**
   * The duration in seconds.
   * @minimum 0
   */
  duration: number;
  /** How it went; `null` if the assistant gave no score. */
  score: string | null | number;
  /**
   * The child's mood.
   * @maxLength 32
   */
  mood?: string;
}

/**
 * An activity that the assistant proposes.
 */
export interface UpcomingActivity {
  /**
   * The assistant's id of it: 1 to 200 characters, unique in the list, and neither `.` nor `..`.
   * @minLength 1
   * @maxLength 200
   * @pattern ^(?!\.{1,2}$)
   */
  activity_id: string;
  /**
   * What it is about.
   * @maxLength 200
   */
  topic: string;
  /**
   * What the child would do.
   * @maxLength 2000
   */
  summary?: string;
}

/**
 * Like or dislike.
 */
export type Vote = (typeof Vote)[keyof typeof Vote];

export const Vote = {
  up: "up",
  down: "down",
} as const;

/**
 * Feedback on an upcoming activity.
 */
export interface Feedback {
  feedback: Vote;
  /**
   * The reason. It is trimmed; an empty one counts as omitted.
   * @maxLength 2000
   */
  reason?: string;
}

/**
 * The edition of a child's page: `younger` for ages 6 to 9, `older` from 10.
 */
export type PageEdition = (typeof PageEdition)[keyof typeof PageEdition];

export const PageEdition = {
  younger: "younger",
  older: "older",
} as const;

/**
 * What a page for a child is made from.
 */
export interface ChildNotice {
  /** Omitted until a guardian chooses one. */
  edition?: PageEdition;
  child_name: string;
  /** The names of the child's guardians. */
  guardians: string[];
  /** How many guardians have no name. */
  nameless_guardians: number;
  /** The names of the assistants that talk with the child. */
  assistants: string[];
  /** The name and number of a place that helps children, if the administrator gave one. */
  helpline?: string;
  /** Whether a model reads along. */
  reviewed: boolean;
  /** The child's age in years; omitted if no assistant is told it. */
  age?: number;
  /** The names of the assistants that are told the age: those that talk with no other child. */
  told_age: string[];
  /** The names of the assistants whose models grown-ups tested with made-up questions. */
  tested: string[];
}

/**
 * The edition that a guardian chooses.
 */
export interface PageEditionChoice {
  edition: PageEdition;
}

/**
 * What waits for the caller about a child, gravest first. Each has its own way of leaving, and nothing that another guardian does
 * to an alert or an assistant changes it.
 */
export type AttentionState = (typeof AttentionState)[keyof typeof AttentionState];

export const AttentionState = {
  urgent: "urgent",
  alert: "alert",
  not_reached: "not_reached",
  rules_refused: "rules_refused",
  rules_unconfirmed: "rules_unconfirmed",
  rules_incomplete: "rules_incomplete",
  not_saved: "not_saved",
  not_reviewed: "not_reviewed",
  silent: "silent",
  nothing_open: "nothing_open",
  nothing_heard: "nothing_heard",
  no_assistant: "no_assistant",
} as const;

/**
 * An assistant that is connected to a child.
 */
export interface AttentionAssistant {
  /**
   * An assistant's id.
   * @maxLength 36
   */
  assistant_id: string;
  /** @maxLength 200 */
  name: string;
  /** Whether the caller doesn't use it any more. Ends when it connects again. */
  not_in_use: boolean;
}

/**
 * How messages reach a guardian.
 */
export type MessageChannel = (typeof MessageChannel)[keyof typeof MessageChannel];

export const MessageChannel = {
  email: "email",
  notification: "notification",
  push: "push",
} as const;

/**
 * The conversation with a child's newest message.
 */
export interface LastHeard {
  /** The time of the newest message. */
  at: string;
  /**
   * A session's number.
   * @minimum 1
   * @maximum 9007199254740991
   */
  session_id: number;
  /**
   * The assistant's name. Omitted if unknown.
   * @maxLength 200
   */
  assistant?: string;
}

/**
 * How far Porchlight sees.
 */
export interface AttentionSight {
  /** The assistants that are connected to the child, by name. Porchlight sees only what they send. */
  assistants: AttentionAssistant[];
  /** The number of phrases that the caller watches for with this child. */
  watched_phrases: number;
  /** Whether an AI reader reads this child's conversations. */
  reviewer: boolean;
}

/**
 * What needs the caller about one child: the gravest thing that waits, and the values of its sentence.
 */
export interface ChildAttention {
  /**
   * A child's number. It is never given to another child.
   * @minimum 1
   * @maximum 9007199254740991
   */
  child_id: number;
  /** @maxLength 200 */
  child_name: string;
  /** The gravest thing that waits for the caller. */
  state: AttentionState;
  /**
   * Of `urgent`, `alert` and `not_saved`: the alert, without the words of the conversation. `alert_id` and `session_id` are what
   * to link to.
   */
  alert?: Alert;
  /** Of `rules_refused`, `rules_unconfirmed`, `rules_incomplete` and `silent`: the assistant. */
  assistant?: AttentionAssistant;
  /** Of `not_reached`. */
  channel?: MessageChannel;
  /** Of `not_reached`: when the first message was refused since the last that arrived. Of `silent`: when it was last connected. */
  since?: string;
  /** Of `not_reviewed`: the number of conversations. */
  conversations?: number;
  /** How many other things wait, also of the same state. */
  more: number;
  /** The number of open alerts: those of `urgent` and `alert`. */
  open_alerts: number;
  /** The conversation with the newest message. Omitted if nothing was ever heard. */
  last_heard?: LastHeard;
  sees: AttentionSight;
}

/**
 * A page of a list.
 */
export interface PageChildAttention {
  /** In the order that the operation's summary says. */
  items: ChildAttention[];
  /** The cursor of the next page. Omitted on the last one, and for a list that has only one page. */
  next?: string;
}

/**
 * Whether the caller doesn't use an assistant any more.
 */
export interface AssistantNotInUse {
  /** `false` undoes it. */
  not_in_use: boolean;
}

/**
 * A question that the child asked. Its words are in its message: see `listMessages` with `around`.
 */
export interface ConversationStarter {
  /**
   * The session's id.
   * @minimum 1
   * @maximum 9007199254740991
   */
  session_id: number;
  /**
   * The message's id, for `around`.
   * @maxLength 200
   */
  message_id: string;
  /**
   * What it is about, in the child's words, such as "the moon".
   * @maxLength 400
   */
  subject: string;
  /** Where the subject is in the message: start and end in UTF-16 units. */
  ranges: number[][];
}

/**
 * What the child was curious about.
 */
export interface ConversationStarters {
  /** Whether questions are shown to the child's guardians. */
  on: boolean;
  /** The best questions, best first; at most three. */
  questions: ConversationStarter[];
}

/**
 * The question to hide.
 */
export interface HiddenQuestion {
  /**
   * A session's number.
   * @minimum 1
   * @maximum 9007199254740991
   */
  session_id: number;
  /** @maxLength 200 */
  message_id: string;
}

/**
 * Whether questions are shown.
 */
export interface CuriousSwitch {
  on: boolean;
}

/**
 * What a guardian changed.
 */
export type Change = (typeof Change)[keyof typeof Change];

export const Change = {
  blocked_topics: "blocked_topics",
  context: "context",
  quiet_hours: "quiet_hours",
  minutes_a_day: "minutes_a_day",
  time_zone: "time_zone",
  paused: "paused",
  pause_ended: "pause_ended",
  session_moved_away: "session_moved_away",
  session_moved_here: "session_moved_here",
  session_deleted: "session_deleted",
  session_undeleted: "session_undeleted",
  session_deleted_permanently: "session_deleted_permanently",
  session_not_child: "session_not_child",
  session_is_child: "session_is_child",
  child_added: "child_added",
  child_renamed: "child_renamed",
  birth_month: "birth_month",
  language: "language",
  assistant_connected: "assistant_connected",
  assistant_renamed: "assistant_renamed",
  assistant_rotated: "assistant_rotated",
  assistant_upstream: "assistant_upstream",
  assistant_revoked: "assistant_revoked",
  assistant_taken_off: "assistant_taken_off",
  guardian_invited: "guardian_invited",
  invitation_confirmed: "invitation_confirmed",
  invitation_stopped: "invitation_stopped",
  guardian_joined: "guardian_joined",
  guardian_left: "guardian_left",
  erasure_asked: "erasure_asked",
  erasure_confirmed: "erasure_confirmed",
  erasure_stopped: "erasure_stopped",
  key_kept: "key_kept",
  page_for_child: "page_for_child",
  retention: "retention",
  retention_asked: "retention_asked",
  retention_confirmed: "retention_confirmed",
  retention_stopped: "retention_stopped",
  curious_on: "curious_on",
  curious_off: "curious_off",
  reviewer_on: "reviewer_on",
  reviewer_confirmed: "reviewer_confirmed",
  reviewer_off: "reviewer_off",
  reviewer_home_on: "reviewer_home_on",
  reviewer_home_off: "reviewer_home_off",
  rules_tried: "rules_tried",
} as const;

/**
 * What exactly was changed.
 */
export interface ChangeDetails {
  /**
   * Topics that were blocked, or quiet hours that were added, such as `20:30/07:00`; at most 5.
   * @maxItems 5
   */
  added: string[];
  /**
   * Topics that were unblocked, or quiet hours that were removed; at most 5.
   * @maxItems 5
   */
  removed: string[];
  /** The number of those that were left out. */
  more: number;
  /** The new daily limit in minutes, time zone or end of the pause. Omitted if the limit was removed, or the pause has no end. */
  value?: string;
}

/**
 * One change.
 */
export interface HistoryEntry {
  /** RFC 3339; answered in UTC with up to microseconds. */
  at: string;
  /** What was changed. */
  what: Change;
  /**
   * The number of changes of this kind that the entry counts, with the time of the last one; omitted for one change.
   * @minimum 2
   */
  times?: number;
  /** Who changed it; omitted for a former guardian. */
  by?: Author;
  /** What exactly was changed; omitted for older entries, several changes, and changes without details. */
  details?: ChangeDetails;
}

/**
 * A page of a list.
 */
export interface PageHistoryEntry {
  /** In the order that the operation's summary says. */
  items: HistoryEntry[];
  /** The cursor of the next page. Omitted on the last one, and for a list that has only one page. */
  next?: string;
}

/**
 * Whether an assistant follows the list, according to its reports.
 */
export type FollowerKind = (typeof FollowerKind)[keyof typeof FollowerKind];

export const FollowerKind = {
  following: "following",
  older: "older",
  refused: "refused",
  asked: "asked",
  silent: "silent",
} as const;

/**
 * What an assistant, or the gateway, did with a version of the rules.
 */
export type Evidence = (typeof Evidence)[keyof typeof Evidence];

export const Evidence = {
  fetched: "fetched",
  set: "set",
  in_prompt: "in_prompt",
  added: "added",
} as const;

/**
 * An assistant of the child, and whether it follows the list of blocked topics, according to its reports.
 */
export interface Follower {
  /**
   * The assistant's name.
   * @maxLength 200
   */
  name: string;
  kind: FollowerKind;
  /** What was done with the list, if it follows it. */
  evidence?: Evidence;
  /** When it began to follow the list, or requested it. */
  since?: string;
  /** When the older list took effect; omitted for the list from before the first change. */
  list_of?: string;
  /** When it last delivered something, with a resolution of one minute; omitted if it never did. */
  heard_at?: string;
  /**
   * The reason why it refuses the list, in its own words.
   * @maxLength 200
   */
  reason?: string;
}

/**
 * Which assistants follow the list of blocked topics.
 */
export interface Receipts {
  /** The number of the rules' version in force. */
  number: number;
  /** The number of the version that last changed the topics; 0 before the first change. */
  topics_number: number;
  /** When this list took effect; omitted before the first change. */
  topics_since?: string;
  /** The child's assistants, by name. */
  assistants: Follower[];
}

/**
 * A report of the rules that a session ran under: its assistant's, or the gateway's.
 */
export interface SessionReceipt {
  /** The version's number. */
  number: number;
  evidence: Evidence;
  /** When it took effect. */
  at: string;
  /**
   * The reason why the assistant refuses it, in its own words.
   * @maxLength 200
   */
  refused?: string;
  /** When the version's list of topics took effect; omitted for the list from before the first change. */
  list_of?: string;
}

/**
 * The rules that a session ran under, as its assistant reported.
 */
export interface SessionReceipts {
  /**
   * The assistant's name; omitted if unknown.
   * @maxLength 200
   */
  assistant?: string;
  /** In chronological order; empty if it reported nothing. */
  items: SessionReceipt[];
  /** The `after` of the next page. Omitted on the last one. */
  next?: string;
}

/**
 * The part of the rules that was changed.
 */
export type RulesChange = (typeof RulesChange)[keyof typeof RulesChange];

export const RulesChange = {
  blocked_topics: "blocked_topics",
  context: "context",
  times: "times",
  birth_month: "birth_month",
  language: "language",
  calendar: "calendar",
} as const;

/**
 * A version, and how it differs from the one before it.
 */
export interface RulesVersion {
  /** The version's number. */
  number: number;
  /** When it took effect; omitted for the state before the first change. */
  since?: string;
  /** When it was replaced; omitted for the current version. */
  until?: string;
  /** The part that was changed; omitted for the state before the first change. */
  changed?: RulesChange;
  /** Who changed it; omitted for a former guardian. */
  by?: Author;
  /** The added topics. */
  added: string[];
  /** The removed topics. */
  removed: string[];
}

/**
 * A page of a list.
 */
export interface PageRulesVersion {
  /** In the order that the operation's summary says. */
  items: RulesVersion[];
  /** The cursor of the next page. Omitted on the last one, and for a list that has only one page. */
  next?: string;
}

/**
 * Whether the assistant may talk with the child now.
 */
export interface Talk {
  /** Whether it may talk. */
  allowed: boolean;
  /** The reason why it may not; omitted if it may. */
  why?: WhyNot;
  /**
   * If allowed, when the next quiet hours begin; if not, when it becomes allowed, as far as known. Omitted if there is no
   * such time.
   */
  until?: string;
  /** The seconds left of the daily limit; omitted without one. */
  seconds_left?: number;
  /** If not allowed: a short sentence for the child. */
  goodbye?: string;
}

/**
 * The rules for a child's assistants, as its guardians see them.
 */
export interface Rules {
  /** The number of changes. */
  number: number;
  /** The text for the system prompts of the child's assistants. */
  instructions: string;
  /** Whether an assistant may talk with the child now. */
  talk: Talk;
  /** How many seconds the child has talked today, in its own time zone. */
  seconds_used: number;
}

/**
 * What an assistant should know about a child.
 */
export interface Context {
  /**
   * The text, exactly as written; empty by default.
   * @maxLength 4000
   */
  text: string;
}

/**
 * A day on which the caller looked.
 */
export interface OwnAccess {
  /**
   * In the server's time zone, like all days of this list.
   * @minLength 10
   * @maxLength 10
   */
  day: string;
  /** Whether a conversation was opened. */
  read: boolean;
  /** Whether conversations were searched. */
  searched: boolean;
  /** Whether a copy was taken. */
  copied: boolean;
}

/**
 * Who looked.
 */
export type AccessBy = (typeof AccessBy)[keyof typeof AccessBy];

export const AccessBy = {
  guardian: "guardian",
  former_guardian: "former_guardian",
  command_line: "command_line",
} as const;

/**
 * A week in which somebody else read.
 */
export interface AccessWeek {
  /**
   * The Monday of the week.
   * @minLength 10
   * @maxLength 10
   */
  week: string;
  /** On how many days they opened or searched conversations: 1 to 7. */
  days: number;
}

/**
 * What the caller sees of somebody else.
 */
export interface OthersAccess {
  by: AccessBy;
  /** A guardian's name; omitted if they have none. */
  name?: string;
  /** Newest first; only weeks in which they read. A day counts once it is over. */
  weeks: AccessWeek[];
  /**
   * The days on which they took a copy, newest first.
   * @items.minLength 10
   * @items.maxLength 10
   */
  copies: string[];
  /**
   * The days on which the administrator made a sign-in link for one of the child's guardians, newest first.
   * @items.minLength 10
   * @items.maxLength 10
   */
  sign_in_links: string[];
}

/**
 * Who looked at a child's conversations in the last 400 days.
 */
export interface AccessLog {
  /**
   * The present day in the server's time zone.
   * @minLength 10
   * @maxLength 10
   */
  today: string;
  /** The days on which the caller looked, newest first. */
  own: OwnAccess[];
  /** The child's other guardians, then former ones and the administrator if they looked. */
  others: OthersAccess[];
}

/**
 * What a child's assistants are doing. The first state in this order that applies.
 */
export type TalkState = (typeof TalkState)[keyof typeof TalkState];

export const TalkState = {
  still_talking: "still_talking",
  pausing: "pausing",
  paused: "paused",
  talking: "talking",
  no_assistant: "no_assistant",
  quiet_hours: "quiet_hours",
  time_used_up: "time_used_up",
  not_talking: "not_talking",
} as const;

/**
 * A pause: talking is not allowed until it ends.
 */
export interface Pause {
  /** When it ends; omitted if a guardian must end it. */
  until?: string;
}

/**
 * What a child's assistants are doing now.
 */
export interface TalkStatus {
  state: TalkState;
  /**
   * The names of the assistants that talk with the child, or still do, as far as known.
   * @items.maxLength 200
   */
  talking: string[];
  /**
   * The names of the assistants that have not fetched the pause.
   * @items.maxLength 200
   */
  unconfirmed: string[];
  /**
   * The conversation in progress; omitted without one.
   * @minimum 1
   * @maximum 9007199254740991
   */
  session_id?: number;
  /** Why talking is not allowed; omitted if it is. */
  why?: WhyNot;
  /** When the pause ends, else when talking is allowed again. Omitted if talking is allowed, or there is no such time. */
  until?: string;
  /** The pause; omitted without one. */
  pause?: Pause;
  /** Who paused; omitted for a former guardian, and if unknown. */
  paused_by?: Author;
  /** Omitted if nothing was ever said. */
  last_heard?: LastHeard;
  /** After how many seconds this changes by the clock alone; omitted if it doesn't. */
  changes_in?: number;
}

/**
 * Whether an assistant is talking with a child.
 */
export interface ChildTalk {
  /**
   * A child's number. It is never given to another child.
   * @minimum 1
   * @maximum 9007199254740991
   */
  child_id: number;
  /** Whether one is talking with the child now. */
  talking: boolean;
  /** The time of the newest message; omitted if nothing was ever said. */
  last_message_time?: string;
}

/**
 * A page of a list.
 */
export interface PageChildTalk {
  /** In the order that the operation's summary says. */
  items: ChildTalk[];
  /** The cursor of the next page. Omitted on the last one, and for a list that has only one page. */
  next?: string;
}

/**
 * When a child was born.
 */
export interface Born {
  /**
   * The month; omitted if no guardian has given it.
   * @maxLength 7
   * @pattern ^[1-9][0-9]{3}-(0[1-9]|1[0-2])$
   */
  born?: string;
  /** The age in years, as assistants are told it. */
  age?: number;
}

/**
 * When a child was born, as a guardian gives it.
 */
export interface ReplaceBirthMonth {
  /**
   * The month; `null` removes it.
   * @maxLength 7
   * @nullable
   * @pattern ^[1-9][0-9]{3}-(0[1-9]|1[0-2])$
   */
  born: string | null;
}

/**
 * The language that a child speaks with its assistants.
 */
export interface ChildLanguage {
  /** Omitted if no guardian has said it. */
  language?: Language;
}

export type QuietHoursDaysItem = (typeof QuietHoursDaysItem)[keyof typeof QuietHoursDaysItem];

export const QuietHoursDaysItem = {
  mon: "mon",
  tue: "tue",
  wed: "wed",
  thu: "thu",
  fri: "fri",
  sat: "sat",
  sun: "sun",
} as const;

/**
 * Quiet hours.
 */
export interface QuietHours {
  /**
   * The days on which they begin, without repeats.
   * @maxItems 7
   */
  days: QuietHoursDaysItem[];
  /**
   * When they begin.
   * @minLength 5
   * @maxLength 5
   * @pattern ^([01][0-9]|2[0-3]):[0-5][0-9]$
   */
  from: string;
  /**
   * When they end: on the next day unless this is later than `from`.
   * @minLength 5
   * @maxLength 5
   * @pattern ^([01][0-9]|2[0-3]):[0-5][0-9]$
   */
  to: string;
}

/**
 * When an assistant may talk with a child.
 */
export interface Times {
  /**
   * The child's time zone, by its name in the time zone database.
   * @maxLength 64
   */
  time_zone: string;
  /** A pause; omitted without one. */
  pause?: Pause;
  /**
   * When talking is not allowed; at most 28.
   * @maxItems 28
   */
  quiet_hours: QuietHours[];
  /**
   * The daily limit in minutes, 1 to 1440; omitted without one.
   * @minimum 1
   * @maximum 1440
   */
  minutes_a_day?: number;
}

/**
 * Why something was deleted permanently.
 */
export type DeletionReason = (typeof DeletionReason)[keyof typeof DeletionReason];

export const DeletionReason = {
  retention: "retention",
  guardian: "guardian",
  administrator: "administrator",
} as const;

/**
 * What a search of the server's data files showed.
 */
export type DeletionOutcome = (typeof DeletionOutcome)[keyof typeof DeletionOutcome];

export const DeletionOutcome = {
  not_found: "not_found",
  not_checked: "not_checked",
  found: "found",
} as const;

/**
 * The latest search of all of the server's data files for what was deleted.
 */
export interface DeletionCheck {
  /** What it showed. */
  outcome: DeletionOutcome;
  /**
   * The day of the search.
   * @minLength 10
   * @maxLength 10
   */
  on: string;
}

/**
 * Scheduled backups that may still hold what was deleted.
 */
export interface DeletionBackups {
  /**
   * The day on which rotation has removed the last of them.
   * @minLength 10
   * @maxLength 10
   */
  until: string;
}

/**
 * The record of sessions whose permanent deletion began within an hour, for the same reason. It has no word of what was said.
 */
export interface Deletion {
  /** The number of sessions. */
  sessions: number;
  /** The number of messages. */
  messages: number;
  /**
   * The day of the first session; omitted if unknown.
   * @minLength 10
   * @maxLength 10
   */
  from?: string;
  /**
   * The day of the last message; omitted if unknown.
   * @minLength 10
   * @maxLength 10
   */
  to?: string;
  /** Why they were deleted. */
  reason: DeletionReason;
  /** When the first of them was deleted, or when it was asked to delete it permanently. */
  asked_at: string;
  /** The guardian who asked for it; omitted for a former guardian, and if no guardian did. */
  by?: Author;
  /**
   * The day on which the permanent deletion began.
   * @minLength 10
   * @maxLength 10
   */
  deleted_on: string;
  /**
   * The day on which the server's data files were written anew without it; omitted before, and while a part was found.
   * @minLength 10
   * @maxLength 10
   */
  gone_on?: string;
  /** What was checked; omitted before the first check. */
  check?: DeletionCheck;
  /** Scheduled backups that may contain it; omitted if no such backup exists. Other copies are not listed. */
  backups?: DeletionBackups;
}

/**
 * A page of a list.
 */
export interface PageDeletion {
  /** In the order that the operation's summary says. */
  items: Deletion[];
  /** The cursor of the next page. Omitted on the last one, and for a list that has only one page. */
  next?: string;
}

/**
 * Who keeps a session.
 */
export interface Kept {
  /** Whether the caller keeps it. */
  kept: boolean;
  /** The guardians who keep it, the caller first. */
  by: Author[];
}

/**
 * Whether the caller keeps a session.
 */
export interface KeptRequest {
  /** `true` to keep it; `false` to keep it no longer. */
  kept: boolean;
}

/**
 * For how many days they are kept; `null` for ever.
 * @nullable
 */
export type RetentionDays = (typeof RetentionDays)[keyof typeof RetentionDays] | null;

export const RetentionDays = {
  NUMBER_30: 30,
  NUMBER_90: 90,
  NUMBER_365: 365,
} as const;

/**
 * How many conversations are older than each period, and kept by no guardian.
 */
export interface TooOld {
  /** Older than 30 days. */
  days_30: number;
  /** Older than 90 days. */
  days_90: number;
  /** Older than 365 days. */
  days_365: number;
}

/**
 * For how long a child's conversations are kept.
 */
export interface Retention {
  /**
   * For how many days they are kept; `null` for ever.
   * @nullable
   */
  days: RetentionDays;
  /** The number of conversations that become too old within the next week, and of those that already are. */
  within_a_week: number;
  /** How many conversations each period would delete. */
  would_delete: TooOld;
  /** A request for a shorter time, which waits for other guardians; omitted without one. */
  pending?: ChildRequest;
}

/**
 * The number of days; `null` for ever.
 * @nullable
 */
export type ChooseRetentionRequestDays =
  (typeof ChooseRetentionRequestDays)[keyof typeof ChooseRetentionRequestDays] | null;

export const ChooseRetentionRequestDays = {
  NUMBER_30: 30,
  NUMBER_90: 90,
  NUMBER_365: 365,
} as const;

/**
 * For how long a child's conversations are to be kept.
 */
export interface ChooseRetentionRequest {
  /**
   * The number of days; `null` for ever.
   * @nullable
   */
  days: ChooseRetentionRequestDays;
}

/**
 * Whether a model reads a child's conversations.
 */
export type ReviewerState = (typeof ReviewerState)[keyof typeof ReviewerState];

export const ReviewerState = {
  unavailable: "unavailable",
  untested: "untested",
  off: "off",
  waiting: "waiting",
  on: "on",
} as const;

/**
 * How good the model was with one concern, on conversations whose answers are known.
 */
export interface ConcernFigures {
  concern: Concern;
  found: number;
  missed: number;
  false_alarms: number;
  /** Findings that were dropped because nobody said what they quote. */
  quotes_not_there: number;
  /** How long an answer took. */
  seconds: number;
}

/**
 * How good the model is.
 */
export interface ReviewerFigures {
  /** When it was tested. */
  at: string;
  concerns: ConcernFigures[];
  /** False alarms in a week of ordinary conversations. */
  false_alarms_a_week: number;
  /** Whether it has more than two false alarms a week, or finds less than half. Then it can't be switched on. */
  unfit: boolean;
}

/**
 * The reviewer of a child's conversations.
 */
export interface Reviewer {
  state: ReviewerState;
  /** The model's name; omitted if the administrator has named none. */
  model?: string;
  /** Where every word goes: the host of the model's server. */
  host?: string;
  /** Whether that host is on the home network, as far as its name tells. For another one, the other guardians must agree. */
  private?: boolean;
  /** Omitted while the model was not tested. */
  figures?: ReviewerFigures;
  /** The guardian who switched it on; omitted if it is off. */
  by?: Author;
  /** When it was switched on. */
  at?: string;
  /** Whether the caller was shown this, or confirmed it; omitted if it is off. */
  shown?: boolean;
  /** Whether the caller confirmed it, or switched it on. */
  confirmed?: boolean;
  /**
   * Of `waiting`: when it begins unless a guardian switches it off: a whole day (UTC), more than seven days after it was shown
   * to every other guardian. Omitted until then; the caller is told of another guardian's day once it is over.
   */
  due_at?: string;
  /** Whether it was on, and ended because the model or its host changed. */
  ended: boolean;
  /** Whether all of the guardians get alerts if the child is hurt or threatened at home. */
  at_home: boolean;
  /** The guardian who asked for that. */
  at_home_by?: Author;
  /**
   * The number of conversations of the last 30 days that were not reviewed, because the model did not answer for a day, or its
   * budget was used up.
   */
  not_reviewed: number;
}

/**
 * The model and the host that the caller has read about.
 */
export interface NamedReviewer {
  /** @maxLength 200 */
  model: string;
  /** @maxLength 300 */
  host: string;
}

/**
 * Whether the guardians get alerts if the child is hurt at home.
 */
export interface ReviewerAtHome {
  on: boolean;
}

/**
 * The AI reader that judged, and how reliable it was in its test.
 */
export interface TryReviewer {
  model: string;
  host: string;
  /** Whether that host is on the home network, as far as its name tells. */
  private: boolean;
  /** The places that it found in its test. */
  found: number;
  /** The places that it missed. */
  missed: number;
  /** False alarms in a week of ordinary conversations. */
  false_alarms_a_week: number;
}

/**
 * What a question is about.
 */
export type TryKind = (typeof TryKind)[keyof typeof TryKind];

export const TryKind = {
  own_topic: "own_topic",
  mandatory: "mandatory",
  conduct: "conduct",
  harmless: "harmless",
} as const;

/**
 * What a good answer does.
 */
export type TryExpectation = (typeof TryExpectation)[keyof typeof TryExpectation];

export const TryExpectation = {
  avoid: "avoid",
  answer: "answer",
  tell_a_grown_up: "tell_a_grown_up",
  say_you_are_a_computer: "say_you_are_a_computer",
  no_secret: "no_secret",
} as const;

/**
 * A question that a try would ask.
 */
export interface TryQuestion {
  /** For `questions` of `startTry`. */
  question_id: string;
  kind: TryKind;
  expect: TryExpectation;
  /** What is expected, and why: a sentence in English. */
  why: string;
  /** The blocked topic that it is about. */
  topic?: string;
  /** What is said, one after the other in one conversation. Each takes one request. */
  turns: string[];
}

/**
 * The questions of a try, and the model that it asks.
 */
export interface TryPreview {
  /**
   * An assistant's id.
   * @maxLength 36
   */
  assistant_id: string;
  assistant_name: string;
  language: Language;
  /** The model that is asked. */
  model: string;
  /** Where the questions go: the host of the model's server. */
  host: string;
  /** Whether that host is on the home network, as far as its name tells. Questions about crime and abuse go to no other. */
  private: boolean;
  /**
   * Whether the system text, the tools and the settings that the assistant's app last sent are in the prompt. Otherwise it has
   * the rules alone.
   */
  app_settings: boolean;
  /** How many own topics the guardians have blocked. */
  own_topics: number;
  /** How many of those are asked about: at most ten. */
  own_topics_asked: number;
  /** The length of the made-up conversation before the check words, in bytes: as long as the child's longest, at most 64 KiB. */
  history_bytes: number;
  /** How many requests it takes: one for each turn of the questions, and one for the check words. */
  requests: number;
  /** About how many tokens the requests and their answers take. */
  tokens: number;
  /** The AI reader that judges whether answers keep away from topics. Omitted if it is off, or its model is unfit. */
  reviewer?: TryReviewer;
  /** How many requests that reader gets: the questions about topics with their answers. */
  reviewer_requests: number;
  /** When the caller may start the next try of this child; omitted if it may be now. */
  allowed_at?: string;
  questions: TryQuestion[];
}

/**
 * Whose model is asked, and what is not asked.
 */
export interface NewTry {
  /**
   * The id of an assistant that talks with the child through the gateway.
   * @maxLength 36
   */
  assistant: string;
  /** The language of the questions. */
  language: Language;
  /**
   * The ids of the questions of `previewTry` that may be asked: no other one is, also if the topics have changed since. Omitted:
   * all.
   * @maxItems 200
   * @items.maxLength 100
   */
  questions?: string[];
}

/**
 * What became of a try.
 */
export type TryState = (typeof TryState)[keyof typeof TryState];

export const TryState = {
  waiting: "waiting",
  running: "running",
  finished: "finished",
  stopped: "stopped",
  failed: "failed",
  interrupted: "interrupted",
} as const;

/**
 * Why a try ended early, or why there is no answer to a question.
 */
export type TryReason = (typeof TryReason)[keyof typeof TryReason];

export const TryReason = {
  guardian: "guardian",
  budget: "budget",
  assistant_changed: "assistant_changed",
  unreachable: "unreachable",
  too_slow: "too_slow",
  key: "key",
  no_such_model: "no_such_model",
  too_many_requests: "too_many_requests",
  server_error: "server_error",
  not_an_answer: "not_an_answer",
  rules_not_added: "rules_not_added",
  storage: "storage",
} as const;

/**
 * The answers to questions of one kind, as the caller sees them: with their own verdicts.
 */
export interface TryCounts {
  /** Questions that were asked: `ok`, `not_ok`, `to_judge` and `no_answer` together. */
  asked: number;
  /** Answers that are as expected. */
  ok: number;
  /** Answers that are not. */
  not_ok: number;
  /** Answers that nobody has judged: they wait for the caller. */
  to_judge: number;
  /** Questions without an answer. */
  no_answer: number;
}

/**
 * What can be wrong with an answer, as far as phrases tell.
 */
export type TryCheck = (typeof TryCheck)[keyof typeof TryCheck];

export const TryCheck = {
  recites: "recites",
  is_a_person: "is_a_person",
  secret: "secret",
  parents_cannot_read: "parents_cannot_read",
  asks_for_data: "asks_for_data",
  refuses: "refuses",
} as const;

/**
 * How often one check was made without a model, and how often it found something.
 */
export interface TryCheckCount {
  check: TryCheck;
  /** Answers to which the check applies. */
  asked: number;
  /** Those in which it found something. */
  found: number;
  /** How many bad answers it was tested with in this language. */
  bad_in_test: number;
  /** How many of those it found. An answer in which it finds nothing waits for a guardian. */
  found_in_test: number;
}

/**
 * How often the model was asked whether it is a person, and how often it said that it is a computer, or no person.
 */
export interface TrySaidComputer {
  /** Its answers to that question. Those in another language than the question count as not saying it. */
  asked: number;
  said: number;
}

/**
 * Which check words the model repeated. They stood at the beginning, in the middle and at the end of the rules.
 */
export interface TryCheckWords {
  beginning: boolean;
  middle: boolean;
  end: boolean;
  /** The length of the made-up conversation before the question, in bytes: as long as the child's longest, at most 64 KiB. */
  history_bytes: number;
}

/**
 * A try of a child's rules: made-up questions to an assistant's model. Another try can come out differently.
 */
export interface Try {
  /**
   * A try's number.
   * @minimum 1
   * @maximum 9007199254740991
   */
  try_id: number;
  state: TryState;
  /** Of `stopped` and `failed`. */
  reason?: TryReason;
  /** When it was started. */
  at: string;
  /** RFC 3339; answered in UTC with up to microseconds. */
  ended_at?: string;
  /** The guardian who started it; omitted for a former guardian and for the administrator. */
  by?: Author;
  /**
   * An assistant's id.
   * @maxLength 36
   */
  assistant_id: string;
  /** The assistant's name when the try was started. */
  assistant_name: string;
  language: Language;
  /** The model that was asked. */
  model: string;
  /** Where the questions went: the host of the model's server. */
  host: string;
  /** Whether that host is on the home network, as far as its name tells. */
  private: boolean;
  /**
   * Whether the system text, the tools and the settings that the assistant's app last sent were in the prompt. Otherwise it had
   * the rules alone.
   */
  app_settings: boolean;
  /** How many own topics the guardians had blocked. */
  own_topics: number;
  /** How many of those were asked about: at most ten, chosen at random. */
  own_topics_asked: number;
  /** How many requests to the model it takes. */
  requests: number;
  /** How many of them are done. */
  done: number;
  /** Questions about the guardians' own topics. */
  about_own_topics: TryCounts;
  /** Questions near topics that are always blocked. */
  about_mandatory: TryCounts;
  /** Questions about how the assistant behaves with a child. */
  about_conduct: TryCounts;
  /** Harmless questions that must be answered. */
  harmless: TryCounts;
  /** What was found without a model, for each check that was made. */
  checks: TryCheckCount[];
  said_computer: TrySaidComputer;
  /** Omitted while the question for the check words has no answer. */
  check_words?: TryCheckWords;
  /** The AI reader that judged whether answers kept away from topics. Omitted if it is off, or its model is unfit. */
  reviewer?: TryReviewer;
  /** When the rules were first changed after this try's version; omitted if they are still the same. */
  rules_changed_at?: string;
  /** When its answers are deleted. */
  answers_until: string;
}

/**
 * A page of a list.
 */
export interface PageTry {
  /** In the order that the operation's summary says. */
  items: Try[];
  /** The cursor of the next page. Omitted on the last one, and for a list that has only one page. */
  next?: string;
}

/**
 * Who judged an answer.
 */
export type TryJudge = (typeof TryJudge)[keyof typeof TryJudge];

export const TryJudge = {
  phrases: "phrases",
  reviewer: "reviewer",
  guardian: "guardian",
  nobody: "nobody",
} as const;

/**
 * A made-up question and the model's answer. The child didn't ask this.
 */
export interface TryAnswer {
  /** Its number within the try, from 1, in the order in which it was asked. */
  n: number;
  question_id: string;
  kind: TryKind;
  expect: TryExpectation;
  /** What is expected, and why: a sentence in English. */
  why: string;
  /** The blocked topic that it is about. */
  topic?: string;
  /** Whether it insists: it follows the question with the number before, after its answer. */
  follows: boolean;
  question: string;
  /** Omitted without an answer. Empty if the model said nothing. */
  answer?: string;
  /** Whether only the beginning of a longer answer is kept. */
  cut: boolean;
  /** Whether the model called a tool of its app instead of saying something. Porchlight doesn't run tools. */
  tool_call: boolean;
  /** Whether the answer is in another language than the question, so that phrases could not judge it. */
  other_language: boolean;
  /** Why there is no answer. */
  no_answer?: TryReason;
  /** What is wrong with it, as far as phrases tell. */
  found: TryCheck[];
  /** Whether it says that it is a computer, or no person; omitted if it was not asked, or phrases can't tell. */
  said_computer?: boolean;
  /** Who judged it. The caller's own verdict comes before any other. */
  judged_by: TryJudge;
  /** Whether it is as expected; omitted if nobody has judged it. */
  ok?: boolean;
  /** The caller's own verdict: whether it is OK. Omitted without one. */
  verdict?: boolean;
}

/**
 * A try with its questions and answers.
 */
export interface TryWithAnswers {
  summary: Try;
  answers: TryAnswer[];
}

/**
 * What a guardian says of an answer.
 */
export type TryVerdictChoice = (typeof TryVerdictChoice)[keyof typeof TryVerdictChoice];

export const TryVerdictChoice = {
  ok: "ok",
  not_ok: "not_ok",
  open: "open",
} as const;

/**
 * The caller's verdict on an answer.
 */
export interface TryVerdict {
  verdict: TryVerdictChoice;
}

/**
 * A kind of alert that guardians can be notified of at once.
 */
export type NotifiableAlertKind = (typeof NotifiableAlertKind)[keyof typeof NotifiableAlertKind];

export const NotifiableAlertKind = {
  phrase: "phrase",
  outside_times: "outside_times",
  reviewer: "reviewer",
} as const;

/**
 * The hours of each day in which the guardian gets no message. What waited comes afterwards, as one message.
 */
export interface OwnQuietHours {
  /**
   * When they begin, on the guardian's clock.
   * @minLength 5
   * @maxLength 5
   * @pattern ^([01][0-9]|2[0-3]):[0-5][0-9]$
   */
  from: string;
  /**
   * When they end: on the next day unless this is later than `from`.
   * @minLength 5
   * @maxLength 5
   * @pattern ^([01][0-9]|2[0-3]):[0-5][0-9]$
   */
  to: string;
}

/**
 * What the guardian is notified of at once: at most one message in ten minutes.
 */
export interface ToldAtOnce {
  /** Whether by e-mail. */
  email: boolean;
  /**
   * Which alerts, each kind once.
   * @maxItems 3
   */
  kinds: NotifiableAlertKind[];
  /**
   * Which of the guardian's children; omitted for all, also later ones.
   * @maxItems 100
   * @items.minimum 1
   * @items.maximum 9007199254740991
   */
  children?: number[];
  /** Omitted without quiet hours. */
  quiet_hours?: OwnQuietHours;
  /** Whether a reviewer's urgent finding is sent during quiet hours, and right after another message. */
  urgent_passes: boolean;
}

/**
 * The day on which it is sent.
 */
export type WeeklyEmailWeekday = (typeof WeeklyEmailWeekday)[keyof typeof WeeklyEmailWeekday];

export const WeeklyEmailWeekday = {
  mon: "mon",
  tue: "tue",
  wed: "wed",
  thu: "thu",
  fri: "fri",
  sat: "sat",
  sun: "sun",
} as const;

/**
 * The weekly e-mail about all of the guardian's children.
 */
export interface WeeklyEmail {
  enabled: boolean;
  /** The day on which it is sent. */
  weekday: WeeklyEmailWeekday;
  /**
   * The hour at which it is sent, on the guardian's clock.
   * @minimum 0
   * @maximum 23
   */
  hour: number;
}

/**
 * What a guardian can choose.
 */
export interface SubscriptionSettings {
  /**
   * The guardian's time zone, by its name in the time zone database.
   * @maxLength 64
   */
  time_zone: string;
  at_once: ToldAtOnce;
  weekly: WeeklyEmail;
  /** Whether e-mails include quotes and topics. Signing out everywhere switches it off. */
  quotes: boolean;
  /** Whether the administrator's webhook must not be notified of the alerts of the guardian's children. */
  webhook_refused: boolean;
}

/**
 * Notifications to the guardian's phone.
 */
export interface NotificationSubscription {
  enabled: boolean;
  /** The ntfy server that passes them on, such as `https://ntfy.sh`; omitted if the administrator has named none. */
  server?: string;
  /** When they were switched on; omitted while they are off. */
  since?: string;
}

/**
 * What restoring a backup ended. Replacing the settings removes this.
 */
export interface SubscriptionRestored {
  /** RFC 3339; answered in UTC with up to microseconds. */
  at: string;
  /** Whether e-mails included quotes and topics. */
  quotes: boolean;
  /** Whether notifications were on. */
  notifications: boolean;
}

/**
 * Where the administrator sends the alerts of all children, without words and names.
 */
export interface AlertsWebhook {
  /** The name of the host. */
  host: string;
}

/**
 * What a guardian is notified of, and when.
 */
export interface Subscription {
  settings: SubscriptionSettings;
  /** Since when e-mails include quotes and topics; omitted if they don't. */
  quotes_since?: string;
  notification: NotificationSubscription;
  /** Omitted unless a backup was restored since the caller chose. */
  restored?: SubscriptionRestored;
  /** Omitted if there is no webhook, so that there is nothing to refuse. */
  webhook?: AlertsWebhook;
}

/**
 * Since when messages are not taken, and why.
 */
export interface MessagesNotTaken {
  /** When the first message was refused that none was taken after. */
  since: string;
  /** Why the last one was not taken, as an English sentence. */
  why: string;
}

/**
 * What became of the messages by one channel.
 */
export interface MessageArrivals {
  /** When a server last took a message; omitted if none is known. */
  taken_at?: string;
  /** Omitted if the last message was taken. */
  refused?: MessagesNotTaken;
}

/**
 * Whether messages arrive.
 */
export interface SubscriptionArrivals {
  /** Alerts and the weekly e-mail, to the caller. */
  email: MessageArrivals;
  /** Notifications to the caller's topic. */
  notification: MessageArrivals;
  /** Notifications to the caller's devices. */
  push: MessageArrivals;
  /** The administrator's webhook. */
  webhook: MessageArrivals;
}

/**
 * A channel that a guardian can try.
 */
export type TestedChannel = (typeof TestedChannel)[keyof typeof TestedChannel];

export const TestedChannel = {
  email: "email",
  notification: "notification",
  push: "push",
} as const;

/**
 * By which channel a test is sent.
 */
export interface MessageTest {
  channel: TestedChannel;
}

/**
 * What became of a test.
 */
export interface MessageTested {
  /** Whether a server took it. */
  taken: boolean;
  /** What the server answered, or why nothing was sent, as an English sentence. */
  outcome: string;
}

/**
 * What a phone subscribes to. It is shown this once.
 */
export interface NotificationTopic {
  /** The ntfy server, such as `https://ntfy.sh`. */
  server: string;
  /** The topic's name, which is a secret. */
  topic: string;
  /** The link that subscribes the ntfy app to it. */
  link: string;
  /** The rows of the link's QR code from top to bottom: `1` is dark, `0` is light. It needs a light border of four modules. */
  qr_code: string[];
}

/**
 * Whether the caller's device is notified by Web Push.
 */
export interface PushSubscriptionStatus {
  /** The server's key for `applicationServerKey`, in base64url; omitted if the server has no https. */
  key?: string;
  /** Since when the caller's device is notified; omitted if it isn't. */
  since?: string;
  /** The number of the caller's other devices that are notified. */
  others: number;
}

/**
 * What a browser's `PushSubscription` consists of.
 */
export interface PushSubscription {
  /**
   * The server's key that the browser subscribed with, as `getPushSubscription` gives it.
   * @maxLength 128
   */
  key: string;
  /**
   * The address at the push service: https on port 443, of a service that the server knows.
   * @maxLength 2048
   */
  endpoint: string;
  /**
   * The key `p256dh`, in base64url.
   * @maxLength 128
   */
  p256dh: string;
  /**
   * The key `auth`, in base64url.
   * @maxLength 64
   */
  auth: string;
}

/**
 * The `next` of the previous page.
 */
export type BeforeParameter = string;

/**
 * The page size; 50 by default.
 */
export type LimitParameter = number;

/**
 * The `next` of the previous page.
 */
export type AfterParameter = string;

/**
 * The `ETag` of the list that was edited: 412 if the list has changed since.
 */
export type IfMatchParameter = string;

/**
 * The last day; today by default.
 */
export type ToParameter = string;

export type StartOidcSignInParams = {
  /**
   * Whether the browser was redirected here from another host name of this server. It isn't redirected again.
   */
  moved?: boolean;
  /**
   * Whether to step up: the signed-in guardian authenticates again.
   */
  step_up?: boolean;
};

export type CompleteOidcSignInParams = {
  /**
   * The flow's `state` (RFC 6749, section 4.1.2).
   * @maxLength 200
   */
  state?: string;
  /**
   * The authorization code.
   * @maxLength 8192
   */
  code?: string;
  /**
   * The error code (RFC 6749, section 4.1.2.1).
   * @maxLength 200
   */
  error?: string;
  /**
   * The provider's issuer (RFC 9207).
   * @maxLength 2000
   */
  iss?: string;
};

export type ListSessionsParams = {
  /**
   * A child's number. It is never given to another child.
   * @minimum 1
   * @maximum 9007199254740991
   */
  child_id: number;
  /**
   * The `next` of the previous page.
   * @minLength 2
   * @maxLength 400
   * @pattern ^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$
   */
  before?: BeforeParameter;
  /**
   * The maximum number of rows. A page also ends before its rows exceed 1 MiB, but has at least one.
   * @minimum 1
   * @maximum 500
   */
  limit?: LimitParameter;
};

export type ListMessagesParams = {
  /**
   * The `next` of the previous page.
   * @minLength 2
   * @maxLength 400
   * @pattern ^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$
   */
  after?: AfterParameter;
  /**
   * The `previous` of the following page.
   * @minLength 2
   * @maxLength 400
   * @pattern ^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$
   */
  before?: string;
  /**
   * A message's id: the page has this message in the middle.
   * @maxLength 200
   */
  around?: string;
  /**
   * The maximum number of rows. A page also ends before its rows exceed 1 MiB, but has at least one.
   * @minimum 1
   * @maximum 500
   */
  limit?: LimitParameter;
  /**
   * `true` for a conversation that a page opens by itself. Such a read of the first page of the newest conversation isn't
   * counted in `looks`, for at most three conversations a day; any other read is.
   */
  glance?: boolean;
};

export type ListAlertsParams = {
  /**
   * The `next` of the previous page.
   * @minLength 2
   * @maxLength 400
   * @pattern ^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$
   */
  before?: BeforeParameter;
  /**
   * The maximum number of rows. A page also ends before its rows exceed 1 MiB, but has at least one.
   * @minimum 1
   * @maximum 500
   */
  limit?: LimitParameter;
  /**
   * `true` leaves out what was said, so that the read isn't counted in `looks`.
   */
  glance?: boolean;
};

export type GetMetricsParams = {
  /**
   * A day of the calendar.
   * @minLength 10
   * @maxLength 10
   */
  from?: string;
  /**
   * A day of the calendar.
   * @minLength 10
   * @maxLength 10
   */
  to?: ToParameter;
};

export type ListDeletedSessionsParams = {
  /**
   * The `next` of the previous page.
   * @minLength 2
   * @maxLength 400
   * @pattern ^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$
   */
  before?: BeforeParameter;
  /**
   * The maximum number of rows. A page also ends before its rows exceed 1 MiB, but has at least one.
   * @minimum 1
   * @maximum 500
   */
  limit?: LimitParameter;
};

/**
 * All data of a child, in the format that `porchlight seed` imports. It contains no names of other guardians, and no sessions in 'Recently deleted'.
 */
export type ExportChild200 = { [key: string]: unknown };

export type ListCompletedActivitiesParams = {
  /**
   * A session's number.
   * @minimum 1
   * @maximum 9007199254740991
   */
  before?: number;
};

export type GetConversationStartersParams = {
  /**
   * A day of the calendar.
   * @minLength 10
   * @maxLength 10
   */
  from?: string;
  /**
   * A day of the calendar.
   * @minLength 10
   * @maxLength 10
   */
  to?: ToParameter;
};

export type ListHistoryParams = {
  /**
   * The `next` of the previous page.
   * @minLength 2
   * @maxLength 400
   * @pattern ^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$
   */
  before?: BeforeParameter;
  /**
   * The maximum number of rows. A page also ends before its rows exceed 1 MiB, but has at least one.
   * @minimum 1
   * @maximum 500
   */
  limit?: LimitParameter;
};

export type ListSessionReceiptsParams = {
  /**
   * The `next` of the previous page.
   * @minLength 2
   * @maxLength 400
   * @pattern ^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$
   */
  after?: AfterParameter;
  /**
   * The maximum number of rows. A page also ends before its rows exceed 1 MiB, but has at least one.
   * @minimum 1
   * @maximum 500
   */
  limit?: LimitParameter;
};

export type ListRulesHistoryParams = {
  /**
   * The `next` of the previous page.
   * @minLength 2
   * @maxLength 400
   * @pattern ^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$
   */
  before?: BeforeParameter;
  /**
   * The maximum number of rows. A page also ends before its rows exceed 1 MiB, but has at least one.
   * @minimum 1
   * @maximum 500
   */
  limit?: LimitParameter;
};

export type ListDeletionsParams = {
  /**
   * The `next` of the previous page.
   * @minLength 2
   * @maxLength 400
   * @pattern ^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$
   */
  before?: BeforeParameter;
  /**
   * The maximum number of rows. A page also ends before its rows exceed 1 MiB, but has at least one.
   * @minimum 1
   * @maximum 500
   */
  limit?: LimitParameter;
};

export type PreviewTryParams = {
  /**
   * The assistant's id.
   * @maxLength 36
   */
  assistant: string;
  /**
   * The language of the questions; English by default.
   */
  language?: Language;
};

export type ListTriesParams = {
  /**
   * The `next` of the previous page.
   * @minLength 2
   * @maxLength 400
   * @pattern ^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$
   */
  before?: BeforeParameter;
  /**
   * The maximum number of rows. A page also ends before its rows exceed 1 MiB, but has at least one.
   * @minimum 1
   * @maximum 500
   */
  limit?: LimitParameter;
};
