//! The operations of openapi.yaml, with what a person decides of each: who needs no credential, and of those that write, a valid
//! body and what they end.

use std::sync::LazyLock;

use poem::http::Method;
use serde_json::{Value, json};
use serde_yaml::Value as Yaml;

use super::family;
use Event::*;

/// An event that may end a permission or a promise; `tests/promises.rs` tests which. The promise is Ben's and concerns Mia.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// Ben leaves Mia, and keeps Leo.
    GuardianLeaves,
    /// Ben is removed.
    GuardianRemoved,
    /// Cleo becomes a guardian of Mia.
    GuardianAdded,
    ChildRenamed,
    /// A session of Leo's is moved to Mia.
    MovedInto,
    ChildDeleted,
    KeyRotated,
    /// Mia is removed from the assistant, and Leo is not.
    ChildTakenOff,
    /// The administrator signs Ben out everywhere; he can, too.
    SignedOutEverywhere,
    BackupRestored,
    /// Somebody accepts an invitation whose link was shown.
    InvitationAccepted,
}

/// The operations that need no credential.
pub const PUBLIC: [&str; 16] = [
    "acceptInvitation",
    "beginSetup",
    "claimPairing",
    "completeOidcSignIn",
    "completePairing",
    "downloadPlugin",
    "issueIdentityToken",
    "getSignInMethods",
    "openInvitation",
    "requestSignInLink",
    "signIn",
    "signInWithRecoveryCode",
    "signInWithSetupLink",
    "signOut",
    "startOidcSignIn",
    "useAddressLink",
];

/// An operation that isn't a GET: what it causes besides changing the caller's own data or a child's, and a valid body for a child
/// with this number.
pub struct Write {
    pub operation: &'static str,
    pub causes: Option<Event>,
    pub body: fn(u64) -> Value,
}

const fn write(operation: &'static str, causes: Option<Event>, body: fn(u64) -> Value) -> Write {
    Write {
        operation,
        causes,
        body,
    }
}

fn nothing(_: u64) -> Value {
    Value::Null
}

/// The model and host that a guardian has read about.
fn reviewer(_: u64) -> Value {
    json!({"model": "reader", "host": "127.0.0.1:9"})
}

fn on(_: u64) -> Value {
    json!({"on": true})
}

/// A new operation needs a row here.
pub const WRITES: &[Write] = &[
    // Identity.
    write(
        "requestSignInLink",
        None,
        |_| json!({"email": "somebody@example.org"}),
    ),
    write(
        "signIn",
        None,
        |_| json!({"email": "ada@example.org", "token": "lnk_x"}),
    ),
    write("issueIdentityToken", None, nothing),
    write(
        "signOut",
        Some(SignedOutEverywhere),
        |_| json!({"everywhere": false}),
    ),
    write("endSignIn", None, nothing),
    write("seeSignIns", None, nothing),
    write(
        "signInWithRecoveryCode",
        None,
        |_| json!({"code": "K7QX-3M0V-9T2D-HC1A"}),
    ),
    write("makeRecoveryCodes", None, nothing),
    write("sendStepUpEmail", None, nothing),
    write(
        "stepUp",
        None,
        |_| json!({"way": "email", "code": "no digits"}),
    ),
    write("beginPairing", None, nothing),
    write("endPairing", None, nothing),
    write("confirmPairing", None, |_| json!({"digits": "no digits"})),
    write("claimPairing", None, |_| json!({"token": "par_x"})),
    write("completePairing", None, |_| json!({"claim": "clm_x"})),
    write("askOtherDevice", None, nothing),
    write(
        "answerAskingDevice",
        None,
        |_| json!({"digits": "no digits"}),
    ),
    write("refuseAskingDevice", None, nothing),
    write(
        "askForAddress",
        None,
        |_| json!({"email": "elsewhere@example.org"}),
    ),
    write("stopAddressChange", None, nothing),
    write("replaceLanguage", None, |_| json!({"language": "de"})),
    write("useAddressLink", None, |_| json!({"token": "adr_x"})),
    // The setup.
    write(
        "beginSetup",
        None,
        |_| json!({"token": "set_x", "name": "Ada", "email": "ada@example.org", "children": [{"name": "Mia", "born": "2018-05", "language": "de"}]}),
    ),
    write("signInWithSetupLink", None, |_| json!({"token": "set_x"})),
    write("finishSetup", None, nothing),
    // The household.
    write(
        "addChild",
        None,
        |_| json!({"name": "Noah", "born": "2020-02", "language": "fr"}),
    ),
    write(
        "renameChild",
        Some(ChildRenamed),
        |_| json!({"name": "Mia Lou"}),
    ),
    write("leaveChild", Some(GuardianLeaves), nothing),
    write(
        "connectAssistant",
        None,
        |child| json!({"name": "den", "children": [child]}),
    ),
    write("renameAssistant", None, |_| json!({"name": "attic"})),
    write("rotateAssistant", Some(KeyRotated), nothing),
    write("chooseAssistantUpstream", None, |_| json!({})),
    write("revokeAssistant", Some(KeyRotated), nothing),
    write("takeChildOff", Some(ChildTakenOff), nothing),
    write("keepAssistantKey", None, nothing),
    write("noteRequestsShown", None, |child| {
        json!({
            "requests": [{"child_id": child, "kind": "deletion", "edition": "edn_1"}],
            "invitations": [{"invitation_id": "inv_none", "edition": "edn_1"}],
        })
    }),
    write("requestChildDeletion", None, |_| json!({"name": "Mia Lou"})),
    write("confirmRequest", Some(ChildDeleted), nothing),
    write("stopRequest", None, nothing),
    write("inviteGuardian", None, |child| json!({"children": [child]})),
    write("confirmInvitation", Some(GuardianAdded), nothing),
    write("stopInvitation", None, nothing),
    write("openInvitation", None, |_| json!({"token": "ivt_x"})),
    write(
        "acceptInvitation",
        Some(InvitationAccepted),
        |_| json!({"token": "ivt_x", "name": "Cleo", "email": "cleo@example.org"}),
    ),
    write(
        "joinByInvitation",
        Some(InvitationAccepted),
        |_| json!({"token": "ivt_x"}),
    ),
    // Sessions. The first two write nothing, but accept text typed by a person.
    write(
        "searchTranscripts",
        None,
        |_| json!({"words": "octopus", "limit": 5}),
    ),
    write(
        "tryWatchedPhrase",
        None,
        |_| json!({"words": "our secret", "side": "child"}),
    ),
    write(
        "moveSession",
        Some(MovedInto),
        |child| json!({"child_id": child}),
    ),
    write("markNotChild", None, |_| json!({"not_child": true})),
    write("keepSession", None, |_| json!({"kept": true})),
    write("chooseRetention", None, |_| json!({"days": null})),
    write("deleteSession", None, nothing),
    write(
        "noteDeletedSessionsShown",
        None,
        |_| json!({"sessions": [2, 3]}),
    ),
    write("undeleteSession", None, nothing),
    write("eraseSession", None, nothing),
    // Alerts, and the model that reads along.
    write(
        "noteAlertsSeen",
        None,
        |child| json!({"child_id": child, "up_to": 1}),
    ),
    write(
        "replaceWatchedPhrases",
        None,
        |_| json!([{"words": "our secret", "side": "child"}]),
    ),
    write("switchReviewerOn", None, reviewer),
    write("switchReviewerOff", None, nothing),
    write("confirmReviewer", None, reviewer),
    write("noteReviewerShown", None, reviewer),
    write("switchReviewerAtHome", None, on),
    write("replaceNotWorrying", None, |_| json!({"items": ["danger"]})),
    write(
        "setAlertNotWorrying",
        None,
        |_| json!({"not_worrying": true}),
    ),
    write("setAlertDealtWith", None, |_| json!({"dealt_with": true})),
    write(
        "setAssistantNotInUse",
        None,
        |_| json!({"not_in_use": true}),
    ),
    // Tries of the rules.
    write(
        "startTry",
        None,
        |_| json!({"assistant": "asi_none", "language": "en"}),
    ),
    write("deleteTry", None, nothing),
    write("judgeTryAnswer", None, |_| json!({"verdict": "not_ok"})),
    // Notifications.
    write("replaceSubscription", None, |_| family::subscription()),
    write("sendTest", None, |_| json!({"channel": "email"})),
    write("switchNotificationsOn", None, nothing),
    write("switchNotificationsOff", None, nothing),
    write("replacePushSubscription", None, |_| family::push_device("")),
    write("deletePushSubscription", None, nothing),
    // The rules, and the child's pages.
    write(
        "giveFeedback",
        None,
        |_| json!({"feedback": "up", "reason": "why"}),
    ),
    write("takeBackFeedback", None, nothing),
    write("replaceBlockedTopics", None, |_| {
        json!(["Spiders", "Ghosts"])
    }),
    write("replaceContext", None, |_| json!({"text": "Mia is eight."})),
    write("replaceBirthMonth", None, |_| json!({"born": "2018-05"})),
    write("replaceChildLanguage", None, |_| json!({"language": "de"})),
    write("replaceTimes", None, |_| {
        json!({
            "time_zone": "Europe/Berlin", "pause": {"until": "2026-11-21T16:00:00Z"}, "minutes_a_day": 45,
            "quiet_hours": [{"days": ["sun"], "from": "20:30", "to": "07:00"}],
        })
    }),
    write("switchConversationStarters", None, on),
    // The first session of each family has its child's number.
    write(
        "hideConversationStarter",
        None,
        |child| json!({"session_id": child.max(1), "message_id": "m2"}),
    ),
    write(
        "chooseChildNoticeEdition",
        None,
        |_| json!({"edition": "younger"}),
    ),
    // The assistant's.
    write("deliver", None, |child| {
        json!({
            "session": "s", "child_id": child, "topic": "Tides",
            "start_time": "2026-11-21T16:00:00Z", "device": "kitchen", "idle_after": 60,
            "messages": [{
                "message_id": "new", "source": "child", "text_content": "Why?",
                "timestamp": "2026-11-20T16:00:09Z", "revision": 0, "content_type": "text",
                "event_type": "said", "start_sample": 7, "interrupted": true, "speaker": "Mia",
            }],
            "completion": {
                "duration": 61.5, "score": 0.8, "mood": "curious", "topic": "The moon",
                "end_time": "2026-11-20T16:10:00Z",
            },
        })
    }),
    write(
        "replaceReport",
        None,
        |_| json!({"note": "well", "more": [1.5]}),
    ),
    write(
        "replaceUpcomingActivities",
        None,
        |_| json!([{"activity_id": "b", "topic": "Tides", "summary": "Sea and moon"}]),
    ),
];

/// Who may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    Public,
    /// A guardian, on their own account.
    OwnAffairs,
    /// A guardian, on one of their sign-ins. `tests/identity.rs` and `tests/pairing.rs` test the ownership.
    OwnSignIn,
    /// A guardian, on a child.
    Guardian,
    /// An assistant, on a child.
    Assistant,
    /// An assistant, on itself.
    AssistantItself,
}

/// The ids in a request's path: a child, a session, an assistant and an invitation.
#[derive(Clone)]
pub struct Target {
    pub child: String,
    pub session: String,
    pub assistant: String,
    pub invitation: String,
}

impl Target {
    pub fn of([child, session, assistant, invitation]: [&str; 4]) -> Self {
        Self {
            child: child.to_owned(),
            session: session.to_owned(),
            assistant: assistant.to_owned(),
            invitation: invitation.to_owned(),
        }
    }
}

pub struct Operation {
    pub name: &'static str,
    pub method: Method,
    /// With the parameters that it requires.
    path: String,
    pub caller: Caller,
    pub write: Option<&'static Write>,
}

impl Operation {
    pub fn is_by_assistant(&self) -> bool {
        matches!(self.caller, Caller::Assistant | Caller::AssistantItself)
    }

    pub fn names(&self, parameter: &str) -> bool {
        self.path.contains(&format!("{{{parameter}}}"))
    }

    /// Whether it is below this part of a child.
    pub fn is_below(&self, part: &str) -> bool {
        self.path.contains(&format!("/{part}"))
    }

    /// Its path for these ids.
    pub fn at(&self, target: &Target) -> String {
        let path = format!("/api{}", self.path)
            .replace("{childId}", &target.child)
            .replace("{sessionId}", &target.session)
            .replace("{assistantId}", &target.assistant)
            .replace("{invitationId}", &target.invitation)
            .replace("{signInId}", "sgn_none")
            .replace("{alertId}", "1")
            .replace("{tryId}", "1")
            .replace("{number}", "1")
            .replace("{kind}", "deletion")
            .replace("{activityId}", "b")
            .replace("{stack}", "none");
        let name = self.name;
        assert!(
            !path.contains('{'),
            "{name}: add the id to `Target`, or a fixed one here"
        );
        path
    }

    /// A valid body for this child; `Null` if it has none.
    pub fn body(&self, child: &str) -> Value {
        let child = child.parse().unwrap_or(0);
        self.write.map_or(Value::Null, |write| (write.body)(child))
    }
}

/// The operations; those that remove the session or the key come last.
pub static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let mut all = parsed();
    all.sort_by_key(|operation| {
        let last = [
            "confirmInvitation",
            "stopInvitation",
            "requestChildDeletion",
            "confirmRequest",
            "stopRequest",
            "deleteSession",
            "undeleteSession",
            "eraseSession",
            "rotateAssistant",
            "takeChildOff",
            "revokeAssistant",
            "leaveChild",
        ];
        last.iter().position(|name| *name == operation.name)
    });
    all
});

/// The operations that read stored data. The download isn't among them: it equals the administrator's export. Nor is what a try
/// would ask, which takes an assistant of the gateway's: see `tests/tries.rs`.
pub static READ_OPERATIONS: LazyLock<Vec<&'static Operation>> = LazyLock::new(|| {
    let all = OPERATIONS.iter();
    let reading = all.filter(|operation| {
        let is_public = operation.caller == Caller::Public;
        let is_left_out = ["exportChild", "previewTry"].contains(&operation.name);
        operation.method == Method::GET && !is_public && !is_left_out
    });
    reading.collect()
});

static CONTRACT: LazyLock<Yaml> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("../../openapi.yaml")).unwrap());

fn parsed() -> Vec<Operation> {
    let paths = CONTRACT["paths"].as_mapping().unwrap().iter();
    let operations = paths.flat_map(|(path, item)| {
        let operations = item.as_mapping().unwrap().iter();
        operations.map(|(method, operation)| {
            let method = method.as_str().unwrap().to_uppercase();
            Operation::new(path.as_str().unwrap(), method.parse().unwrap(), operation)
        })
    });
    operations.collect()
}

/// A value, or the component that it refers to.
fn resolved(value: &'static Yaml) -> &'static Yaml {
    match value.get("$ref").and_then(Yaml::as_str) {
        Some(reference) => {
            let names = reference.trim_start_matches("#/").split('/');
            names.fold(&CONTRACT, |value, name| &value[name])
        }
        None => value,
    }
}

impl Operation {
    fn new(path: &str, method: Method, contract: &'static Yaml) -> Self {
        let name = contract["operationId"].as_str().unwrap();
        let parameters = contract.get("parameters").and_then(Yaml::as_sequence);
        let mut parameters = parameters.into_iter().flatten().map(resolved);
        let required = parameters.find_map(|it| match it["name"].as_str() {
            Some("child_id") => Some("?child_id={childId}"),
            Some("assistant") => Some("?assistant={assistantId}"),
            _ => None,
        });
        let query = required.unwrap_or_default();
        let write = WRITES.iter().find(|write| write.operation == name);
        assert!(
            write.is_some() || method == Method::GET,
            "add {name} to WRITES in tests/support/operations.rs"
        );
        let mut operation = Self {
            name,
            method,
            path: format!("{path}{query}"),
            caller: Caller::Public,
            write,
        };
        let security = contract.get("security").unwrap_or(&CONTRACT["security"]);
        let security = security.as_sequence().unwrap();
        let security = ["guardian", "assistant"]
            .map(|who| security.iter().any(|scheme| scheme.get(who).is_some()));
        operation.caller = match security {
            [false, false] => Caller::Public,
            [true, false] if operation.names("signInId") => Caller::OwnSignIn,
            [true, false] if operation.is_of_child() => Caller::Guardian,
            [true, false] => Caller::OwnAffairs,
            [false, true] if operation.is_of_child() => Caller::Assistant,
            [false, true] => Caller::AssistantItself,
            [true, true] => panic!("{name} is for two kinds of callers"),
        };
        operation
    }

    /// Whether its path or its body names a child or what belongs to one.
    fn is_of_child(&self) -> bool {
        let ids = ["childId", "sessionId", "assistantId", "invitationId"];
        ids.iter().any(|id| self.names(id)) || self.body("1") != self.body("2")
    }
}
