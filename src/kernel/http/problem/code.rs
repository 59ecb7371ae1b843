//! What a program decides by, and what a translation has a sentence for: the code of each error.

use poem_openapi::Enum;
use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use serde::{Deserialize, Serialize};

use crate::kernel::http::wire::documented;
use crate::kernel::outgoing::mail::EmailAddress;

/// Which sentence an error says. `docs/errors.md` lists each code with its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "ProblemCode", rename_all = "snake_case")]
pub enum Code {
    // Of every operation: the transport, bodies, the store.
    BodyBroken,
    BodyEncoded,
    BodyIncomplete,
    BodyInvalid,
    BodyLate,
    BodyMissing,
    BodyNotJson,
    BodyTooLarge,
    CursorInvalid,
    HeadTooLarge,
    HttpsRequired,
    IfMatchRequired,
    InternalError,
    MethodNotAllowed,
    NameEmptyOrControl,
    NameTooLong,
    NoHost,
    NotFound,
    NotJson,
    NotSignedIn,
    OutcomeUnknown,
    Overloaded,
    ParameterInvalid,
    ParameterMissing,
    RateLimited,
    RecordTooLarge,
    RequestInvalid,
    StorageFull,
    StorageUnavailable,
    StorageUnreadable,
    TooManyAtOnce,
    UnknownHost,
    UnknownTimeZone,
    // Signing in and guardians.
    AddressLinkInvalid,
    AddressUnchanged,
    AddressUnconfirmed,
    AssistantExists,
    AssistantKeyInvalid,
    AssistantKeyMissing,
    ClockBehind,
    DigitsWrong,
    DigitsWrongThreeTimes,
    EmailCodeInvalid,
    EmailNotConfigured,
    EmailNotSent,
    EmailQueueFull,
    GuardianExists,
    KeyForGateway,
    LinkExpired,
    LinkInvalid,
    LinkOfOtherEmail,
    LinkReplaced,
    LinkTooManyWrongEmails,
    LinkUsed,
    NoOtherDevice,
    NotAnAssistantKey,
    NotAnIdentityToken,
    OpenTheName,
    OtherOrigin,
    PairingCodeInvalid,
    RecoveryCodeInvalid,
    RecoveryCodesMissing,
    RecoveryCodesOnlyEverywhere,
    SetupBegun,
    SetupLinkInvalid,
    SeveralAssistants,
    SeveralGuardians,
    SignInAgainRequired,
    StepUpRequired,
    TooManyChanges,
    TooManyEmails,
    TooManyLinks,
    TooManyRecoveryCodes,
    TooManySharedChanges,
    TooManyWrites,
    // Children and who sees them.
    AdministratorOnly,
    AlreadyRequested,
    AssistantNotExclusive,
    AssistantNotForGateway,
    ChildDeletionRequested,
    ChildNamesOutOfRange,
    ChildrenAlreadyYours,
    ChildrenOutOfRange,
    DailyLimitReached,
    EmailMissing,
    InvitationInvalid,
    InvitedTooRecently,
    OnlyGuardian,
    OtherChildName,
    RequestChanged,
    RequestedThreeTimesThisWeek,
    RequestedThreeTimesToday,
    SharedDailyLimitReached,
    TooManyGuardians,
    TooManyInvitations,
    TooManyNames,
    UpstreamChanged,
    // Rules for what is talked about, how, and when.
    BirthMonthInFuture,
    BirthMonthTooLongAgo,
    BlockedTopicsChanged,
    ContextChanged,
    DayRepeated,
    KeyWithoutChild,
    MinutesOutOfRange,
    NoCommonGuardian,
    QuietHoursEmpty,
    QuietHoursWithoutDay,
    ScheduleChanged,
    TooManyQuietHours,
    TooManyTopics,
    TopicTooGeneral,
    TopicTooLong,
    TopicTooShort,
    // Conversations and what is shown of them.
    ActivityIdRepeated,
    DaysReversed,
    FeedbackNotYours,
    NoWords,
    ParametersConflict,
    ReportNotAnObject,
    ReportTooLarge,
    ReportUnreadable,
    TooManyDays,
    TooManyHidden,
    TooManyRequestsRunning,
    TooManySearches,
    // An assistant's deliveries.
    ChildAmbiguous,
    ClockSetBack,
    MessageTooLong,
    QuotaUsedUp,
    RevisedTooOften,
    RulesVersionUnknown,
    SharedQuotaUsedUp,
    // Alerts, notifications, deletion, open pages.
    AlertKindRepeated,
    ConcernStaysOn,
    DownloadRunning,
    GuardiansDiffer,
    HourInvalid,
    NothingToAsk,
    NotificationsChanged,
    NotificationsNotConfigured,
    OtherGuardianCanRestore,
    PhraseTooLong,
    PhraseTooShort,
    PhraseWithoutWord,
    PhrasesChanged,
    PushEndpointUnknown,
    PushKeyReplaced,
    PushKeysInvalid,
    PushNotConfigured,
    ReviewerChanged,
    ReviewerFindsNothing,
    ReviewerFindsTooLittle,
    ReviewerTooNoisy,
    ReviewerUntested,
    ReviewerWithoutModel,
    Stopping,
    TooManyChildren,
    TooManyPagesOpen,
    TooManyPhrases,
    TooManyTrials,
    TriedToday,
    TryNotThroughGateway,
    TryWithoutModel,
    TryWithoutUpstream,
}

/// A value in an error's sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Argument {
    Number(u64),
    Text(String),
}

documented!(
    Argument,
    "Argument",
    MetaSchema {
        any_of: vec![
            MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
            MetaSchemaRef::Inline(Box::new(MetaSchema::new("integer"))),
        ],
        ..MetaSchema::ANY
    }
);

macro_rules! from_numbers {
    ($($number:ty),+) => {
        $(impl From<$number> for Argument {
            fn from(number: $number) -> Self {
                Self::Number(number as u64)
            }
        })+
    };
}

from_numbers!(u16, u32, u64, usize);

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<EmailAddress> for Argument {
    fn from(address: EmailAddress) -> Self {
        Self::Text(address.to_string())
    }
}
