//! Every stored permission, consent, request and promise, and what happens to it when its conditions change. `docs/promises.md`
//! has the same table in short.
//!
//! A new table or command fails here until it is classified, and a new operation without a place in `FACTS`.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::support::device::{LAPTOP, from_our_page};
use crate::support::family::{everybody, record_kinds, subscription};
use crate::support::features::writes;
use crate::support::operations::{Event, OPERATIONS};
use crate::support::requests;
use crate::support::reviewing::{figures, settings_at, write};
use crate::support::tables::{Promise, tables};
use crate::support::test_app::{PUBLIC_URL, Persona, Response, TestApp, restore};
use poem::http::Method;
use porchlight::admin::{
    AcceptClock, LinkChild, NAMES, Reinstate, RemoveChild, RemoveGuardian, SignOutGuardian,
};
use porchlight::children::ChildId;
use porchlight::identity::{Caller, GuardianId};
use porchlight::kernel::store::{PARTS_TABLE, Read, StoreError, Table};
use serde_json::{Value, json};

use Becomes::{Ends, Stays, Suspended};
use Promise::*;

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const CLEO: &str = "cleo@example.org";

const EVENTS: [Event; 11] = [
    Event::GuardianLeaves,
    Event::GuardianRemoved,
    Event::GuardianAdded,
    Event::ChildRenamed,
    Event::MovedInto,
    Event::ChildDeleted,
    Event::KeyRotated,
    Event::ChildTakenOff,
    Event::SignedOutEverywhere,
    Event::BackupRestored,
    Event::InvitationAccepted,
];

/// What happens to a promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Becomes {
    Stays,
    Ends,
    /// Valid again once the administrator reinstates its owner.
    Suspended,
}

/// Each promise, and what happens to it with each of [`EVENTS`].
#[rustfmt::skip]
const TABLE: [(Promise, [Becomes; 11]); 32] = [
    //                     leaves removed added  renamed into   deleted rotated taken  out    restored   accepted
    (GuardianLink,       [Ends,  Ends,  Stays, Stays, Stays, Ends,  Stays, Stays, Stays, Suspended, Stays]),
    (Key,                [Stays, Stays, Stays, Stays, Stays, Stays, Ends,  Stays, Stays, Suspended, Stays]),
    (KeysChild,          [Stays, Stays, Stays, Stays, Stays, Ends,  Stays, Ends,  Stays, Suspended, Stays]),
    (SessionName,        [Stays, Stays, Stays, Stays, Stays, Ends,  Stays, Ends,  Stays, Suspended, Stays]),
    (MovedSessionName,   [Ends,  Stays, Ends,  Stays, Stays, Ends,  Stays, Ends,  Stays, Suspended, Stays]),
    (SignIn,             [Stays, Ends,  Stays, Stays, Stays, Stays, Stays, Stays, Ends,  Ends,      Stays]),
    (AcknowledgedSignIn, [Stays, Ends,  Stays, Stays, Stays, Stays, Stays, Stays, Ends,  Ends,      Stays]),
    // Only in memory.
    (Pairing,            [Stays, Ends,  Stays, Stays, Stays, Stays, Stays, Stays, Ends,  Ends,      Stays]),
    (StepUp,             [Stays, Ends,  Stays, Stays, Stays, Stays, Stays, Stays, Ends,  Ends,      Stays]),
    (StepUpCode,         [Stays, Ends,  Stays, Stays, Stays, Stays, Stays, Stays, Ends,  Ends,      Stays]),
    (SignInLink,         [Stays, Ends,  Stays, Stays, Stays, Stays, Stays, Stays, Ends,  Ends,      Stays]),
    (RecoveryCode,       [Stays, Ends,  Stays, Stays, Stays, Stays, Stays, Stays, Stays, Ends,      Stays]),
    (AddressChange,      [Stays, Ends,  Stays, Stays, Stays, Stays, Stays, Stays, Ends,  Ends,      Stays]),
    (ProviderAccount,    [Stays, Ends,  Stays, Stays, Stays, Stays, Stays, Stays, Stays, Stays,     Stays]),
    (Invitation,         [Ends,  Ends,  Stays, Stays, Stays, Ends,  Stays, Stays, Ends,  Ends,      Ends]),
    (InvitationAnswer,   [Ends,  Ends,  Stays, Stays, Stays, Ends,  Stays, Stays, Stays, Ends,      Ends]),
    (DeletionRequest,    [Ends,  Ends,  Stays, Stays, Stays, Ends,  Stays, Stays, Stays, Ends,      Stays]),
    (DeletionAnswer,     [Ends,  Ends,  Stays, Stays, Stays, Ends,  Stays, Stays, Stays, Ends,      Stays]),
    (RetentionRequest,   [Ends,  Ends,  Stays, Stays, Stays, Ends,  Stays, Stays, Stays, Ends,      Stays]),
    (RetentionAnswer,    [Ends,  Ends,  Stays, Stays, Stays, Ends,  Stays, Stays, Stays, Ends,      Stays]),
    (KeptSession,        [Ends,  Ends,  Stays, Stays, Stays, Ends,  Stays, Stays, Stays, Stays,     Stays]),
    (KeptKey,            [Ends,  Ends,  Stays, Stays, Stays, Ends,  Ends,  Ends,  Stays, Ends,      Stays]),
    (RuleReceipt,        [Stays, Stays, Stays, Stays, Stays, Ends,  Stays, Stays, Stays, Stays,     Stays]),
    (DeletedSession,     [Stays, Stays, Stays, Stays, Stays, Ends,  Stays, Stays, Stays, Stays,     Stays]),
    (ShownDeletion,      [Ends,  Ends,  Stays, Stays, Stays, Ends,  Stays, Stays, Stays, Stays,     Stays]),
    (ErasedName,         [Stays, Stays, Stays, Stays, Stays, Stays, Stays, Stays, Stays, Stays,     Stays]),
    (WatchedPhrase,      [Ends,  Ends,  Stays, Stays, Stays, Ends,  Stays, Stays, Stays, Stays,     Stays]),
    (ReviewerConsent,    [Ends,  Ends,  Stays, Stays, Stays, Ends,  Stays, Stays, Ends,  Ends,      Stays]),
    (ReviewerAnswer,     [Ends,  Ends,  Stays, Stays, Stays, Ends,  Stays, Stays, Stays, Ends,      Stays]),
    (ReviewerAtHome,     [Ends,  Ends,  Stays, Stays, Stays, Ends,  Stays, Stays, Stays, Ends,      Stays]),
    (QuotesInEmails,     [Stays, Ends,  Stays, Stays, Stays, Stays, Stays, Stays, Ends,  Ends,      Stays]),
    (Pause,              [Stays, Stays, Stays, Stays, Stays, Ends,  Stays, Stays, Stays, Stays,     Stays]),
];

/// The administrator's operations by the event that they cause.
const COMMANDS: &[(Option<Event>, &[&str])] = &[
    (Some(Event::GuardianRemoved), &["RemoveGuardian"]),
    (Some(Event::GuardianLeaves), &["UnlinkChild"]),
    (Some(Event::GuardianAdded), &["LinkChild"]),
    (Some(Event::ChildRenamed), &["RenameChild"]),
    (Some(Event::ChildDeleted), &["RemoveChild"]),
    (
        Some(Event::KeyRotated),
        &["RotateAssistant", "RevokeAssistant"],
    ),
    (Some(Event::BackupRestored), &["Reinstate"]),
    (
        Some(Event::SignedOutEverywhere),
        &["SignOutGuardian", "ChangeEmail"],
    ),
    // They change which model an assistant talks through.
    (None, &["ChooseUpstream", "RemoveUpstream"]),
    // Without the guardians' agreement.
    (None, &["ChooseRetention"]),
    // They add something new, or only read.
    (
        None,
        &[
            "AcceptClock",
            "AddAssistant",
            "AddChild",
            "AddGuardian",
            "AddUpstream",
            "Backup",
            "CheckReady",
            "CountNotKept",
            "CountNotReviewed",
            "Export",
            "FindReviewer",
            "FindTraces",
            "GetBackupState",
            "GetClockState",
            "GetPublicUrl",
            "GetSetupLink",
            "ListAssistants",
            "ListChildren",
            "ListForwardingFaults",
            "ListGuardians",
            "ListNotArriving",
            "ListUpstreams",
            "MakeSignInLink",
            "MakeToken",
            "Seed",
            "TestChannels",
            "TestReviewer",
            "TryRules",
            "TestUpstream",
            "Verify",
        ],
    ),
];

/// Ada and Ben share Mia and Leo, who talk with Ada's assistant.
struct World {
    app: TestApp,
    mia: ChildId,
    leo: ChildId,
    ben: GuardianId,
    assistant: String,
    key: String,
    /// The promise's id or token.
    held: String,
    /// The folders of a backup and of its store.
    _folder: Option<tempfile::TempDir>,
}

impl World {
    async fn new() -> Self {
        let mut app = TestApp::new().await;
        let settings = settings_at("http://127.0.0.1:9/v1");
        app.review_with(settings);
        write(&app, figures("127.0.0.1:9", 1, 0, 0)).await;
        let ada = app.guardian(ADA).await;
        app.guardian(BEN).await;
        let (mia, leo) = (
            app.child("Mia", &[ADA, BEN]).await,
            app.child("Leo", &[ADA, BEN]).await,
        );
        let connected = json!({"name": "kitchen", "children": [mia, leo]});
        let connected = ada.post("/api/assistants", &connected).await.json();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let guardians = &app.inner.identity.guardians;
        let ben = guardians.get(&app.inner.store, &BEN.parse().unwrap());
        Self {
            ben: ben.unwrap().id,
            assistant: text(&connected["assistant"]["assistant_id"]),
            key: text(&connected["key"]),
            held: String::new(),
            _folder: None,
            mia,
            leo,
            app,
        }
    }

    async fn of(&self, email: &str) -> Persona<'_> {
        self.app.stepped_up(email).await
    }

    async fn deliver(&self, child: ChildId, name: &str, fields: Value) -> Option<Value> {
        let mut fields = fields;
        fields["child_id"] = json!(child);
        let delivered = self.app.bearer(&self.key).deliver(name, &fields).await;
        delivered.status.is_success().then(|| delivered.json())
    }

    /// Delivers this child's session `s`. Returns its id.
    async fn session(&self, child: ChildId) -> String {
        let said = json!({"messages": [
            {"message_id": "a", "text_content": "Moon", "timestamp": "2026-11-21T19:50:00Z"}]});
        let opened = self.deliver(child, "s", said).await.unwrap();
        opened["session_id"].to_string()
    }

    async fn move_to(&self, session: &str, child: ChildId) {
        let path = format!("/api/sessions/{session}/child");
        let to = json!({"child_id": child});
        // It may be refused because of a pending request.
        self.of(BEN).await.put(&path, &to).await;
    }

    async fn invite(&self, email: &str) -> String {
        let invitation = json!({"children": [self.mia]});
        let inviting = self.of(email).await;
        let made = inviting.post("/api/invitations", &invitation).await.json();
        let link = made["shown"]["link"].as_str().unwrap();
        link.split_once("#token=").unwrap().1.to_owned()
    }

    async fn ask_to_keep_less(&self, email: &str) {
        let path = format!("/api/child/{}/retention", self.mia);
        let asked = json!({"days": 90});
        self.of(email).await.put(&path, &asked).await.ok();
    }

    async fn ask_to_delete(&self, email: &str) {
        let asking = self.of(email).await;
        requests::ask_to_delete(&asking, self.mia, "Mia").await.ok();
    }

    /// Returns all rows of a table.
    fn rows(&self, table: &'static str) -> Vec<Value> {
        let (store, all) = (&self.app.inner.store, Table::new(table).key());
        let keys = store.keys_below(&all, usize::MAX).unwrap();
        let rows = keys.iter().filter_map(|key| store.payload(key).unwrap());
        rows.map(|row| serde_json::from_slice(&row.json).unwrap())
            .collect()
    }

    /// Whether Ben has confirmed what is stored in this table.
    fn is_confirmed(&self, table: &'static str) -> bool {
        let rows = self.rows(table);
        let mut rows = rows.iter().map(Value::to_string);
        rows.any(|row| row.contains(self.ben.as_str()) && row.contains("\"confirmed\":true"))
    }

    /// Creates the promise.
    async fn make(&mut self, promise: Promise) {
        let ben = self.app.stepped_up(BEN).await;
        let held = match promise {
            GuardianLink | KeysChild => String::new(),
            Key => self.key.clone(),
            SessionName | RuleReceipt | DeletedSession | ShownDeletion | ErasedName
            | KeptSession => self.session(self.mia).await,
            MovedSessionName => {
                let session = self.session(self.mia).await;
                self.move_to(&session, self.leo).await;
                session
            }
            SignIn | StepUp => ben.credential().to_owned(),
            StepUpCode => {
                let path = "/api/auth/step_up/email";
                ben.send(Method::POST, path, &[], None).await.ok();
                String::new()
            }
            AcknowledgedSignIn => {
                let first = self.sign_in().await;
                self.sign_in().await;
                assert_eq!(self.new_sign_ins(&first).await, Some(1));
                let minted = self.mint(&first).await.json();
                let first_device = self.app.bearer(minted["identity_token"].as_str().unwrap());
                let path = "/api/auth/sign_ins/seen";
                first_device.send(Method::POST, path, &[], None).await.ok();
                first
            }
            Pairing => {
                let path = "/api/auth/pairing";
                let begun = ben.send(Method::POST, path, &[], None).await.json();
                let link = begun["shown"]["link"].as_str().unwrap();
                link.split_once("#token=").unwrap().1.to_owned()
            }
            SignInLink => self.sign_in_link().await,
            RecoveryCode => {
                let path = "/api/auth/recovery_codes";
                let made = ben.send(Method::POST, path, &[], None).await.json();
                made["codes"][0].as_str().unwrap().to_owned()
            }
            AddressChange => {
                let address = json!({"email": "new@example.org"});
                ben.put("/api/auth/address", &address).await.ok();
                String::new()
            }
            ProviderAccount => {
                self.bind_account().await;
                String::new()
            }
            Invitation => self.invite(BEN).await,
            InvitationAnswer => {
                let token = self.invite(ADA).await;
                let requests = ben.get("/api/household/requests").await.json();
                let invitation = &requests["invitations"][0];
                let id = invitation["invitation_id"].as_str().unwrap();
                let path = format!("/api/invitations/{id}/confirmation");
                let read = invitation["edition"].to_string();
                let headers = [("if-match", read.as_str())];
                ben.send(Method::PUT, &path, &headers, None).await.ok();
                token
            }
            DeletionRequest => {
                self.ask_to_delete(BEN).await;
                String::new()
            }
            DeletionAnswer => {
                self.ask_to_delete(ADA).await;
                requests::confirm(&ben, self.mia, "deletion").await.ok();
                String::new()
            }
            RetentionRequest => {
                self.ask_to_keep_less(BEN).await;
                String::new()
            }
            RetentionAnswer => {
                // So that Ben isn't the last one to answer.
                self.link(CLEO, self.mia).await;
                self.ask_to_keep_less(ADA).await;
                requests::confirm(&ben, self.mia, "retention").await.ok();
                String::new()
            }
            KeptKey => {
                let path = format!("/api/child/{}/guardians/me", self.mia);
                let ada = self.of(ADA).await;
                ada.send(Method::DELETE, &path, &[], None).await.ok();
                let path = format!("/api/assistants/{}/key/kept", self.assistant);
                ben.send(Method::PUT, &path, &[], None).await.ok();
                // So that Ben isn't the only guardian.
                self.link(CLEO, self.mia).await;
                String::new()
            }
            WatchedPhrase => {
                let path = format!("/api/child/{}/watched_phrases", self.mia);
                let phrases = json!([{"words": "Moon", "side": "either"}]);
                ben.put(&path, &phrases).await.ok();
                self.session(self.mia).await;
                assert_eq!(self.rows("alert-own").len(), 1);
                String::new()
            }
            ReviewerConsent => {
                self.review(&ben, "reviewer").await;
                String::new()
            }
            ReviewerAnswer => {
                let ada = self.of(ADA).await;
                self.review(&ada, "reviewer").await;
                self.review(&ben, "reviewer/confirmation").await;
                String::new()
            }
            ReviewerAtHome => {
                let path = format!("/api/child/{}/reviewer/at_home", self.mia);
                ben.put(&path, &json!({"on": true})).await.ok();
                String::new()
            }
            QuotesInEmails => {
                let mut settings = subscription();
                settings["quotes"] = json!(true);
                ben.put("/api/subscription", &settings).await.ok();
                String::new()
            }
            Pause => {
                let path = format!("/api/child/{}/times", self.mia);
                let pause = json!({"time_zone": "UTC", "quiet_hours": [], "pause": {}});
                ben.put(&path, &pause).await.ok();
                String::new()
            }
        };
        match promise {
            RuleReceipt => {
                let path = format!("/api/assistant/child/{}/rules", self.mia);
                let rules = self.app.bearer(&self.key).get(&path).await.json();
                let receipt = json!([{"version": rules["version"], "evidence": "set"}]);
                let delivered = self.deliver(self.mia, "s", json!({"rules": receipt})).await;
                assert_eq!(delivered.unwrap()["rejected"], json!([]));
            }
            DeletedSession | ErasedName => {
                let path = format!("/api/sessions/{held}");
                ben.send(Method::DELETE, &path, &[], None).await.ok();
            }
            KeptSession => {
                let path = format!("/api/sessions/{held}/kept");
                ben.put(&path, &json!({"kept": true})).await.ok();
            }
            _ => {}
        }
        if promise == ShownDeletion {
            let path = format!("/api/sessions/{held}");
            let ada = self.of(ADA).await;
            ada.send(Method::DELETE, &path, &[], None).await.ok();
            let path = format!("/api/child/{}/deleted_sessions/shown", self.mia);
            let session = held.parse::<u64>().unwrap();
            ben.post(&path, &json!({"sessions": [session]})).await.ok();
        }
        if promise == ErasedName {
            // Regardless of what the other guardian was shown.
            self.app
                .clock
                .advance(Duration::from_secs(91 * 24 * 60 * 60));
            self.app.run_admin(AcceptClock).await.0.unwrap();
            self.app.inner.run_maintenance(|_| {}).await.unwrap();
        }
        self.held = held;
    }

    async fn review(&self, guardian: &Persona<'_>, what: &str) {
        let path = format!("/api/child/{}/{what}", self.mia);
        let named = json!({"model": "reader", "host": "127.0.0.1:9"});
        guardian.put(&path, &named).await.ok();
    }

    async fn sign_in_link(&self) -> String {
        let links = &self.app.inner.identity.links;
        let link = links.link_for(&BEN.parse().unwrap()).await.unwrap();
        link.split_once("#token=").unwrap().1.to_owned()
    }

    /// Ben signs in on a device. Returns its cookie.
    async fn sign_in(&self) -> String {
        let link = json!({"email": BEN, "token": self.sign_in_link().await});
        let signed_in = from_our_page(&self.app, "/api/auth/sign-in", LAPTOP, &link).await;
        signed_in.ok();
        let cookie = signed_in.header("set-cookie");
        cookie.split(';').next().unwrap().to_owned()
    }

    async fn mint(&self, cookie: &str) -> Response {
        let headers = [("origin", PUBLIC_URL), ("cookie", cookie)];
        let anonymous = self.app.anonymous();
        let minted = anonymous.send(Method::POST, "/api/auth/token", &headers, None);
        minted.await
    }

    /// The number of new sign-ins reported to the device; `None` if it isn't signed in.
    async fn new_sign_ins(&self, cookie: &str) -> Option<u64> {
        let minted = self.mint(cookie).await;
        let told = |minted: &Response| minted.json()["guardian"]["new_sign_ins"].as_u64();
        let is_signed_in = minted.status.is_success();
        is_signed_in.then(|| told(&minted).unwrap_or(0))
    }

    async fn bind_account(&self) {
        let (issuer, subject) = ("https://idp.example", "ben");
        let account = json!({"issuer": issuer, "subject": subject});
        let mut bound = account.clone();
        bound["guardian"] = json!(self.ben);
        bound["bound_at"] = json!("2026-11-21T20:00:00Z");
        let ben = self.ben.clone();
        let written = self.app.inner.store.commit(move |change| {
            let of = Table::new("provider-account-of").key().text(ben.as_str());
            let by = Table::new("provider-account").key().text(issuer);
            let rows = [(of.text(issuer), account), (by.text(subject), bound)];
            for (key, row) in rows {
                change.put_json(&key, 1, row.to_string().as_bytes())?;
            }
            Ok::<_, StoreError>(())
        });
        written.await.unwrap();
    }

    async fn link(&self, email: &str, child: ChildId) {
        self.app.add_guardian(email, None).await;
        let email = email.parse().unwrap();
        let linked = self.app.run_admin(LinkChild { child, email });
        linked.await.0.unwrap();
    }

    /// Whether the promise is still valid. Checking uses up some promises.
    async fn holds(&self, promise: Promise) -> bool {
        let app = &self.app;
        match promise {
            GuardianLink => {
                let guardians = &app.inner.identity.guardians;
                let is_suspended = guardians.is_suspended(&app.inner.store, &self.ben).unwrap();
                let caller = Caller::Guardian(self.ben.clone());
                !is_suspended && app.inner.children.of(caller, self.mia).is_ok()
            }
            Key => {
                let who = app.bearer(&self.held).get("/api/assistant").await;
                who.status.is_success()
            }
            KeysChild => self.deliver(self.mia, "other", json!({})).await.is_some(),
            SessionName | MovedSessionName => {
                let delivered = self.deliver(self.mia, "s", json!({"topic": "Moon"})).await;
                let session = delivered.map(|answer| answer["session_id"].to_string());
                session.as_ref() == Some(&self.held)
            }
            SignIn => {
                let children = app.bearer(&self.held).get("/api/children").await;
                children.status.is_success()
            }
            StepUp => {
                let path = "/api/auth/recovery_codes";
                let stepped_up = app.bearer(&self.held);
                let made = stepped_up.send(Method::POST, path, &[], None).await;
                made.status.is_success()
            }
            AcknowledgedSignIn => self.new_sign_ins(&self.held).await == Some(0),
            Pairing => {
                let token = json!({"token": self.held});
                let path = "/api/auth/pairing/claim";
                let claimed = from_our_page(app, path, LAPTOP, &token).await;
                claimed.status.is_success()
            }
            SignInLink => {
                let link = json!({"email": BEN, "token": self.held});
                let signed_in = from_our_page(app, "/api/auth/sign-in", LAPTOP, &link).await;
                signed_in.status.is_success()
            }
            RecoveryCode => {
                let code = json!({"code": self.held});
                let signed_in = from_our_page(app, "/api/auth/recovery", LAPTOP, &code).await;
                signed_in.status.is_success()
            }
            Invitation => {
                let token = json!({"token": self.held});
                let opened = app.anonymous().post("/api/invitations/open", &token).await;
                opened.status.is_success()
            }
            InvitationAnswer => self.is_confirmed("invitation"),
            DeletionAnswer | RetentionAnswer => self.is_confirmed("child-request"),
            DeletionRequest | RetentionRequest => !self.rows("child-request").is_empty(),
            KeptSession => {
                let kept = self.rows("session-keeps");
                kept.iter().any(|keeps| keeps["by"] == json!([self.ben]))
            }
            StepUpCode => !self.rows("step-up-code").is_empty(),
            AddressChange => !self.rows("address-change").is_empty(),
            ProviderAccount => !self.rows("provider-account").is_empty(),
            KeptKey => !self.rows("key-kept").is_empty(),
            RuleReceipt => !self.rows("rules-receipt").is_empty(),
            DeletedSession => !self.rows("erased-session").is_empty(),
            ShownDeletion => {
                let rows = self.rows("erased-session");
                let mut rows = rows.iter();
                rows.any(|row| !row["shown"][self.ben.as_str()].is_null())
            }
            ErasedName => !self.rows("erased-name").is_empty(),
            WatchedPhrase => {
                let has =
                    ["watched-phrases", "alert-own"].map(|table| !self.rows(table).is_empty());
                assert_eq!(has[0], has[1], "the alerts end with the phrase");
                has[0]
            }
            ReviewerConsent => {
                let consents = &app.inner.reviewer.consents;
                let permitted = consents.permitted(&app.inner.store, self.mia);
                permitted.unwrap().is_some()
            }
            ReviewerAnswer => self.is_confirmed("reviewer-consent"),
            ReviewerAtHome => !self.rows("reviewer-at-home").is_empty(),
            QuotesInEmails => self
                .rows("subscription")
                .iter()
                .any(|row| !row["quotes_since"].is_null()),
            Pause => self
                .rows("times")
                .iter()
                .any(|times| !times["pause"].is_null()),
        }
    }

    async fn happens(&mut self, promise: Promise, event: Event) {
        let ben = async |method, path: String| {
            let ben = self.app.stepped_up(BEN).await;
            ben.send(method, &path, &[], None).await
        };
        let mia = self.mia;
        match event {
            Event::GuardianLeaves => {
                let path = format!("/api/child/{mia}/guardians/me");
                ben(Method::DELETE, path).await.ok();
            }
            Event::GuardianRemoved => {
                let email = BEN.parse().unwrap();
                let removed = self.app.run_admin(RemoveGuardian { email });
                removed.await.0.unwrap();
            }
            Event::GuardianAdded => self.link("dan@example.org", mia).await,
            Event::ChildRenamed => {
                let path = format!("/api/child/{mia}/name");
                // It may be refused because of a pending request to delete her.
                let name = json!({"name": "Mia Lou"});
                self.of(BEN).await.put(&path, &name).await;
            }
            Event::MovedInto => {
                let session = self.session(self.leo).await;
                self.move_to(&session, mia).await;
            }
            Event::ChildDeleted => {
                let (child, name) = (mia, "Mia".to_owned());
                let removed = self.app.run_admin(RemoveChild { child, name });
                removed.await.0.unwrap();
            }
            Event::KeyRotated => {
                let path = format!("/api/assistants/{}/key", self.assistant);
                let rotated = ben(Method::POST, path).await.json();
                self.key = rotated["key"].as_str().unwrap().to_owned();
            }
            Event::ChildTakenOff => {
                let path = format!("/api/child/{mia}/assistants/{}", self.assistant);
                ben(Method::DELETE, path).await.ok();
            }
            Event::SignedOutEverywhere => {
                let email = BEN.parse().unwrap();
                let signed_out = self.app.run_admin(SignOutGuardian { email });
                signed_out.await.0.unwrap();
            }
            Event::BackupRestored => {
                let folder = tempfile::tempdir().unwrap();
                let file = folder.path().join("backup");
                let restored = folder.path().join("restored");
                self.app.back_up(&file).await;
                let nobody = porchlight::identity::Named::default();
                restore(&file, &restored, nobody).unwrap();
                self.app = TestApp::in_folder(&restored).await;
                self._folder = Some(folder);
            }
            Event::InvitationAccepted => {
                let token = match promise {
                    Promise::Invitation | Promise::InvitationAnswer => self.held.clone(),
                    // Ada has left.
                    Promise::KeptKey => self.invite(BEN).await,
                    _ => self.invite(ADA).await,
                };
                let body = json!({"token": token, "name": "Cleo", "email": CLEO});
                let (anonymous, headers) = (self.app.anonymous(), [("origin", PUBLIC_URL)]);
                let path = "/api/invitations/accept";
                let accepted = anonymous.send(Method::POST, path, &headers, Some(body.to_string()));
                accepted.await.ok();
            }
        }
    }
}

/// Creates the promise, causes the event, and returns what happened to the promise.
async fn observed(promise: Promise, event: Event) -> Becomes {
    let mut world = World::new().await;
    world.make(promise).await;
    world.happens(promise, event).await;
    if world.holds(promise).await {
        return Stays;
    }
    world.app.run_admin(Reinstate(everybody())).await.0.unwrap();
    if world.holds(promise).await {
        Suspended
    } else {
        Ends
    }
}

/// Compares the observed outcomes with the table.
async fn compare(events: &[Event]) {
    let mut wrong = Vec::new();
    for (promise, expected) in &TABLE {
        for (event, expected) in EVENTS.iter().zip(expected) {
            if !events.contains(event) {
                continue;
            }
            let observed = observed(*promise, *event).await;
            if observed != *expected {
                let sentence = format!("{promise:?}, {event:?}: {observed:?}, not {expected:?}");
                wrong.push(sentence);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn each_promise_holds_while_nothing_changes() {
    for (promise, _) in &TABLE {
        let mut world = World::new().await;
        world.make(*promise).await;
        assert!(world.holds(*promise).await, "{promise:?}");
    }
}

#[tokio::test]
async fn each_promise_follows_the_childs_guardians() {
    compare(&EVENTS[..3]).await;
}

#[tokio::test]
async fn each_promise_follows_the_child() {
    compare(&EVENTS[3..6]).await;
}

#[tokio::test]
async fn each_promise_follows_the_key_and_a_restored_backup() {
    compare(&EVENTS[6..]).await;
}

#[test]
fn each_table_holds_a_known_promise_or_none_and_known_words_or_none() {
    let known = tables().flat_map(|(_, _, tables)| *tables);
    let known = known.copied().collect::<Vec<_>>();
    let kinds = record_kinds();
    let names = kinds.iter().map(|kind| kind.name());
    let names = names.chain([PARTS_TABLE]).collect::<BTreeSet<_>>();

    for table in &names {
        let times = known.iter().filter(|name| *name == table).count();
        assert_eq!(
            times, 1,
            "add the table `{table}` to the `FACTS` of its feature's test file: does it hold a promise, and whose words?"
        );
    }
    let gone = known.iter().filter(|name| !names.contains(*name));
    assert_eq!(gone.collect::<Vec<_>>(), [&""; 0], "these are no tables");
    for (promise, ..) in tables() {
        let has_row = |promise| TABLE.iter().any(|(known, _)| *known == promise);
        assert!(promise.is_none_or(has_row), "{promise:?}");
    }
}

#[test]
fn each_operation_and_command_is_a_known_event_or_none() {
    let operations = OPERATIONS.iter().filter_map(|operation| operation.write);
    let operations = operations
        .map(|write| write.operation)
        .collect::<BTreeSet<_>>();
    let known = writes().map(|write| write.operation);
    let gone = known.filter(|name| !operations.contains(name));
    assert_eq!(gone.collect::<Vec<_>>(), [""; 0], "these are no operations");
    let listed = COMMANDS.iter().flat_map(|(_, names)| *names);
    let listed = listed.collect::<BTreeSet<_>>();
    assert_eq!(listed, BTreeSet::from_iter(NAMES), "the rows of COMMANDS");
    let of_commands = COMMANDS.iter().filter_map(|(event, _)| *event);
    let of_writes = writes().filter_map(|write| write.causes);
    let events = of_commands.chain(of_writes).collect::<BTreeSet<_>>();
    assert_eq!(events, BTreeSet::from(EVENTS));
}

#[test]
fn the_document_has_a_row_for_each_promise_and_a_column_for_each_event() {
    let document = include_str!("../docs/promises.md");
    let rows = document.lines().filter(|line| line.starts_with("| "));
    let rows = rows.collect::<Vec<_>>();

    assert_eq!(rows.len(), 1 + TABLE.len(), "its head, and a row for each");
    for row in rows {
        assert_eq!(row.matches(" | ").count(), EVENTS.len(), "{row}");
    }
}
