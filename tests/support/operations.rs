//! The operations of openapi.yaml, with what a person decides of each: who needs no credential, and of those that write, a valid
//! body and what they end.

use std::sync::LazyLock;

use poem::http::Method;
use serde_json::{Value, json};
use serde_yaml::Value as Yaml;

use super::features;

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
    /// The name that events use for the part of a child that it replaces, if every family of the tests has it so.
    pub part: Option<&'static str>,
    /// Takes only a secret, or one of few values, so that it may refuse all that is made up.
    pub has_few_values: bool,
}

pub const fn write(
    operation: &'static str,
    causes: Option<Event>,
    body: fn(u64) -> Value,
) -> Write {
    Write {
        operation,
        causes,
        body,
        part: None,
        has_few_values: false,
    }
}

/// A write that replaces a part of a child: every family of the tests has it, and an event with this name follows it.
pub const fn part(operation: &'static str, event: &'static str, body: fn(u64) -> Value) -> Write {
    Write {
        part: Some(event),
        ..write(operation, None, body)
    }
}

impl Write {
    pub const fn with_few_values(mut self) -> Self {
        self.has_few_values = true;
        self
    }
}

pub fn nothing(_: u64) -> Value {
    Value::Null
}

/// The body of a switch.
pub fn on(_: u64) -> Value {
    json!({"on": true})
}

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

/// The writes that replace a part of a child, and the name that events use for it.
pub fn parts() -> impl Iterator<Item = (&'static Operation, &'static str)> {
    let all = OPERATIONS.iter();
    all.filter_map(|operation| Some((operation, operation.write?.part?)))
}

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
        let write = features::writes().find(|write| write.operation == name);
        assert!(
            write.is_some() || method == Method::GET,
            "add {name} to the `FACTS` of its feature's test file"
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
