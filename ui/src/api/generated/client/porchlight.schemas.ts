import type { components } from "../schema.ts";

export type AcceptRequest = components["schemas"]["AcceptRequest"];
export type AccessLog = components["schemas"]["AccessLog"];
export type AddChildRequest = components["schemas"]["AddChildRequest"];
export type AddressLink = components["schemas"]["AddressLink"];
export type AddressLinkUsed = components["schemas"]["AddressLinkUsed"];
export type AlertDealtWith = components["schemas"]["AlertDealtWith"];
export type AlertPage = components["schemas"]["AlertPage"];
export type AskedDigits = components["schemas"]["AskedDigits"];
export type AssistantNotInUse = components["schemas"]["AssistantNotInUse"];
export type Born = components["schemas"]["Born"];
export type Child = components["schemas"]["Child"];
export type ChildLanguage = components["schemas"]["ChildLanguage"];
export type ChildNotice = components["schemas"]["ChildNotice"];
export type ChooseRetentionRequest = components["schemas"]["ChooseRetentionRequest"];
export type ChooseUpstreamRequest = components["schemas"]["ChooseUpstreamRequest"];
export type ClaimedPairing = components["schemas"]["ClaimedPairing"];
export type CompletedActivity = components["schemas"]["CompletedActivity"];
export type ConnectRequest = components["schemas"]["ConnectRequest"];
export type ConnectedAssistant = components["schemas"]["ConnectedAssistant"];
export type Context = components["schemas"]["Context"];
export type ConversationStarters = components["schemas"]["ConversationStarters"];
export type ConversationStartersSwitch = components["schemas"]["ConversationStartersSwitch"];
export type CreatedInvitation = components["schemas"]["CreatedInvitation"];
export type CreatedPairing = components["schemas"]["CreatedPairing"];
export type CreatedRecoveryCodes = components["schemas"]["CreatedRecoveryCodes"];
export type DeletedPage = components["schemas"]["DeletedPage"];
export type ExportChild200 = Record<string, never>;
export type Feedback = components["schemas"]["Feedback"];
export type GetConversationStartersParams = {
  /** @description The first day; by default six days before the last. */
  from?: string;
  /** @description The last day; today by default. */
  to?: components["parameters"]["to"];
};
export type GetMetricsParams = {
  /** @description The first day; by default the Monday of the week before the last day's. */
  from?: string;
  /** @description The last day; today by default. */
  to?: components["parameters"]["to"];
};
export type HiddenQuestion = components["schemas"]["HiddenQuestion"];
export type Household = components["schemas"]["Household"];
export type InvitationToken = components["schemas"]["InvitationToken"];
export type InviteRequest = components["schemas"]["InviteRequest"];
export type IssuedIdentity = components["schemas"]["IssuedIdentity"];
export type Kept = components["schemas"]["Kept"];
export type KeptRequest = components["schemas"]["KeptRequest"];
export type LanguageChoice = components["schemas"]["LanguageChoice"];
export type LinkRequest = components["schemas"]["LinkRequest"];
export type ListAlertsParams = {
  /** @description The `next` of the previous page. */
  before?: components["parameters"]["before"];
  /** @description The page size; 50 by default. */
  limit?: components["parameters"]["limit"];
  /** @description `true` leaves out what was said, so that the read isn't counted in `looks`. */
  glance?: boolean;
};
export type ListCompletedActivitiesParams = {
  /** @description Only activities older than this one: the `session_id` of an activity in an earlier response. */
  before?: number;
};
export type ListDeletedSessionsParams = {
  /** @description The `next` of the previous page. */
  before?: components["parameters"]["before"];
  /** @description The page size; 50 by default. */
  limit?: components["parameters"]["limit"];
};
export type ListDeletionsParams = {
  /** @description The `next` of the previous page. */
  before?: components["parameters"]["before"];
  /** @description The page size; 50 by default. */
  limit?: components["parameters"]["limit"];
};
export type ListHistoryParams = {
  /** @description The `next` of the previous page. */
  before?: components["parameters"]["before"];
  /** @description The page size; 50 by default. */
  limit?: components["parameters"]["limit"];
};
export type ListMessagesParams = {
  /** @description The `next` of the previous page. */
  after?: components["parameters"]["after"];
  /** @description The `previous` of the following page. */
  before?: string;
  /** @description A message's id: the page has this message in the middle. */
  around?: string;
  /** @description The page size; 50 by default. */
  limit?: components["parameters"]["limit"];
  /**
   * @description `true` for a conversation that a page opens by itself. Such a read of the first page of the newest conversation isn't
   *     counted in `looks`, for at most three conversations a day; any other read is.
   */
  glance?: boolean;
};
export type ListSessionReceiptsParams = {
  /** @description The `next` of the previous page. */
  after?: components["parameters"]["after"];
  /** @description The page size; 50 by default. */
  limit?: components["parameters"]["limit"];
};
export type ListSessionsParams = {
  /** @description The child's id. */
  child_id: number;
  /** @description The `next` of the previous page. */
  before?: components["parameters"]["before"];
  /** @description The page size; 50 by default. */
  limit?: components["parameters"]["limit"];
};
export type ListTriesParams = {
  /** @description The `next` of the previous page. */
  before?: components["parameters"]["before"];
  /** @description The page size; 50 by default. */
  limit?: components["parameters"]["limit"];
};
export type MessagePage = components["schemas"]["MessagePage"];
export type MessageTest = components["schemas"]["MessageTest"];
export type MessageTested = components["schemas"]["MessageTested"];
export type Metrics = components["schemas"]["Metrics"];
export type MoveRequest = components["schemas"]["MoveRequest"];
export type NameRequest = components["schemas"]["NameRequest"];
export type NamedReviewer = components["schemas"]["NamedReviewer"];
export type NewAddressRequest = components["schemas"]["NewAddressRequest"];
export type NotChildRequest = components["schemas"]["NotChildRequest"];
export type NotWorrying = components["schemas"]["NotWorrying"];
export type NotWorryingConcerns = components["schemas"]["NotWorryingConcerns"];
export type NotificationTopic = components["schemas"]["NotificationTopic"];
export type OpenedInvitation = components["schemas"]["OpenedInvitation"];
export type OwnAddress = components["schemas"]["OwnAddress"];
export type OwnAssistant = components["schemas"]["OwnAssistant"];
export type PageAskingDevice = components["schemas"]["Page_AskingDevice"];
export type PageChildAttention = components["schemas"]["Page_ChildAttention"];
export type PageChildTalk = components["schemas"]["Page_ChildTalk"];
export type PageConcern = components["schemas"]["Page_Concern"];
export type PageConnection = components["schemas"]["Page_Connection"];
export type PageDeletion = components["schemas"]["Page_Deletion"];
export type PageEditionChoice = components["schemas"]["PageEditionChoice"];
export type PageHistoryEntry = components["schemas"]["Page_HistoryEntry"];
export type PageSignIn = components["schemas"]["Page_SignIn"];
export type PageTry = components["schemas"]["Page_Try"];
export type PageUnseenAlerts = components["schemas"]["Page_UnseenAlerts"];
export type Pairing = components["schemas"]["Pairing"];
export type PairingClaim = components["schemas"]["PairingClaim"];
export type PairingToken = components["schemas"]["PairingToken"];
export type PhraseToTry = components["schemas"]["PhraseToTry"];
export type PreviewTryParams = {
  /** @description The assistant's id. */
  assistant: string;
  /** @description The language of the questions; English by default. */
  language?: components["schemas"]["Language"];
};
export type PushSubscription = components["schemas"]["PushSubscription"];
export type PushSubscriptionStatus = components["schemas"]["PushSubscriptionStatus"];
export type Receipts = components["schemas"]["Receipts"];
export type RecoveryCodes = components["schemas"]["RecoveryCodes"];
export type RecoverySignInRequest = components["schemas"]["RecoverySignInRequest"];
export type ReplaceBirthMonth = components["schemas"]["ReplaceBirthMonth"];
export type Requests = components["schemas"]["Requests"];
export type Retention = components["schemas"]["Retention"];
export type Reviewer = components["schemas"]["Reviewer"];
export type ReviewerAtHome = components["schemas"]["ReviewerAtHome"];
export type Rules = components["schemas"]["Rules"];
export type Schedule = components["schemas"]["Schedule"];
export type SearchPage = components["schemas"]["SearchPage"];
export type SearchRequest = components["schemas"]["SearchRequest"];
export type SeenAlerts = components["schemas"]["SeenAlerts"];
export type Session = components["schemas"]["Session"];
export type SessionPage = components["schemas"]["SessionPage"];
export type SessionReceipts = components["schemas"]["SessionReceipts"];
export type SetupRequest = components["schemas"]["SetupRequest"];
export type SetupSignInRequest = components["schemas"]["SetupSignInRequest"];
export type ShownDeletedRequest = components["schemas"]["ShownDeletedRequest"];
export type ShownRequests = components["schemas"]["ShownRequests"];
export type SignInMethods = components["schemas"]["SignInMethods"];
export type SignInRequest = components["schemas"]["SignInRequest"];
export type SignOutRequest = components["schemas"]["SignOutRequest"];
export type StartTryRequest = components["schemas"]["StartTryRequest"];
export type StepUp = components["schemas"]["StepUp"];
export type StepUpRequest = components["schemas"]["StepUpRequest"];
export type SteppedUp = components["schemas"]["SteppedUp"];
export type Subscription = components["schemas"]["Subscription"];
export type SubscriptionArrivals = components["schemas"]["SubscriptionArrivals"];
export type SubscriptionSettings = components["schemas"]["SubscriptionSettings"];
export type Summary = components["schemas"]["Summary"];
export type TalkStatus = components["schemas"]["TalkStatus"];
export type TriedPhrase = components["schemas"]["TriedPhrase"];
export type Try = components["schemas"]["Try"];
export type TryPreview = components["schemas"]["TryPreview"];
export type TryVerdict = components["schemas"]["TryVerdict"];
export type TryWithAnswers = components["schemas"]["TryWithAnswers"];
export type TypedDigits = components["schemas"]["TypedDigits"];
export type UpcomingActivity = components["schemas"]["UpcomingActivity"];
export type WatchedPhrase = components["schemas"]["WatchedPhrase"];
