//! What each operation of the API shows of a child's words.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a response shows of what a child said. The last three count as looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Nothing.
    None,
    /// Topics, first words and figures, as on Summary and in lists.
    Glanced,
    /// What was said.
    Opened,
    /// What was said, found by its words.
    Searched,
    /// Everything, as a file.
    Copied,
}

/// Every operation of the contract with its mark.
pub const OPERATIONS: [(Mark, &[&str]); 5] = [
    (Mark::Copied, &["exportChild"]),
    (Mark::Searched, &["searchTranscripts", "tryWatchedPhrase"]),
    (Mark::Opened, &["listAlerts", "listMessages"]),
    (
        Mark::Glanced,
        &[
            "getCurious",
            "getMetrics",
            "getSession",
            "getSummary",
            "listCompletedActivities",
            "listDeletedSessions",
            "listDeletions",
            "listSessions",
            "listUpcomingActivities",
        ],
    ),
    (
        Mark::None,
        &[
            "acceptInvitation",
            "addChild",
            "answerAskingDevice",
            "askForAddress",
            "askOtherDevice",
            "askToEraseChild",
            "beginPairing",
            "beginSetup",
            "chooseAssistantUpstream",
            "chooseEditionForChild",
            "chooseRetention",
            "claimPairing",
            "completeOidcSignIn",
            "completePairing",
            "confirmChildErasure",
            "confirmInvitation",
            "confirmPairing",
            "confirmRetention",
            "connectAssistant",
            "countUnseenAlerts",
            "deleteSession",
            "deliver",
            "downloadPlugin",
            "endPairing",
            "endSignIn",
            "eraseSession",
            "finishSetup",
            "getAddress",
            "getAssistant",
            "getAssistantBlockedTopics",
            "getAssistantRules",
            "getContext",
            "getHousehold",
            "getLooks",
            "getPageForChild",
            "getPairing",
            "getReceipts",
            "getRecoveryCodes",
            "getRetention",
            "getRules",
            "getRulesForAll",
            "getSessionKept",
            "getStepUp",
            "getSubscription",
            "getTalkStatus",
            "getTimes",
            "giveFeedback",
            "hideCuriousQuestion",
            "inviteGuardian",
            "issueIdentityToken",
            "joinByInvitation",
            "keepAssistantKey",
            "keepSession",
            "leaveChild",
            "listAskingDevices",
            "listBlockedTopics",
            "listChildTalk",
            "listChildren",
            "listConnections",
            "listFeedback",
            "listHistory",
            "listRequests",
            "listRulesHistory",
            "listSessionReceipts",
            "listSignInMethods",
            "listSignIns",
            "listWatchedPhrases",
            "makeRecoveryCodes",
            "markNotChild",
            "moveSession",
            "noteAlertsSeen",
            "noteDeletedSessionsShown",
            "noteRequestsShown",
            "openInvitation",
            "refuseAskingDevice",
            "renameAssistant",
            "renameChild",
            "replaceBlockedTopics",
            "replaceContext",
            "replaceSubscription",
            "replaceReport",
            "replaceTimes",
            "replaceUpcomingActivities",
            "replaceWatchedPhrases",
            "requestSignInLink",
            "revokeAssistant",
            "rotateAssistant",
            "seeSignIns",
            "sendStepUpEmail",
            "signIn",
            "signInWithRecoveryCode",
            "signInWithSetupLink",
            "signOut",
            "startOidcSignIn",
            "stepUp",
            "stopAddressChange",
            "stopChildErasure",
            "stopInvitation",
            "stopRetention",
            "streamEvents",
            "switchCurious",
            "takeChildOff",
            "undeleteSession",
            "useAddressLink",
        ],
    ),
];

pub fn mark_of(operation: &str) -> Option<Mark> {
    static MARKS: LazyLock<HashMap<&str, Mark>> = LazyLock::new(|| {
        let marks = OPERATIONS.iter();
        let marks = marks.flat_map(|(mark, names)| names.iter().map(|name| (*name, *mark)));
        marks.collect()
    });
    MARKS.get(operation).copied()
}
