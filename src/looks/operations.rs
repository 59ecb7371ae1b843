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
            "claimPairing",
            "completeOidcSignIn",
            "completePairing",
            "confirmChildErasure",
            "confirmInvitation",
            "confirmPairing",
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
            "getRules",
            "getRulesForAll",
            "getStepUp",
            "getTalkStatus",
            "getTimes",
            "giveFeedback",
            "hideCuriousQuestion",
            "inviteGuardian",
            "issueIdentityToken",
            "joinByInvitation",
            "keepAssistantKey",
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
