//! The app and its HTTP endpoint in the test's process, with a manual clock, seeded randomness and an in-memory mailer.
//! Tests send requests as a [`Persona`].

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use poem::endpoint::BoxEndpoint;
use poem::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use poem::test::TestClient;
use porchlight::admin::backup::{self, Restored};
use porchlight::admin::{AddAssistant, AdminError, Backup, Export, Operation, Reports, Target};
use porchlight::alerts::reviewer::ReviewerSettings;
use porchlight::app::{App, AppSettings};
use porchlight::assistants::deliveries::Quota;
use porchlight::assistants::gateway::Budget;
use porchlight::children::ChildId;
use porchlight::identity::api::Homes;
use porchlight::identity::{Caller, IdentitySettings, KeyKind, Named, ProviderSettings};
use porchlight::kernel::host::addresses::NamedAddress;
use porchlight::kernel::host::clock::{Clock, ManualClock, Timestamp};
use porchlight::kernel::host::pieces::pieces;
use porchlight::kernel::host::public_url::PublicUrl;
use porchlight::kernel::host::randomness::Randomness;
use porchlight::kernel::http::limit::LimitMode;
use porchlight::kernel::http::origin::ClientAddress;
use porchlight::kernel::outgoing::mail::{Email, Mailer};
use porchlight::kernel::store::backup_state::ScheduledBackups;
use porchlight::kernel::store::{Identities, Read, Store, Table};
use porchlight::notifications::Servers;
use porchlight::retention::copy::Exported;
use porchlight::server::listener::{self, BoundListener, ConnectionLimits};
use porchlight::server::{self, Hsts, IngressConfig, KnownHosts, TrustedProxies};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::contract;

/// The origin whose pages may use the gateway.
pub const CHAT_ORIGIN: &str = "https://chat.example.org";

pub const PUBLIC_URL: &str = "https://porchlight.example";

/// The manual clock's initial time: a Saturday evening.
pub const EVENING: &str = "2026-11-21T20:00:00Z";

pub struct TestApp {
    pub inner: App,
    pub clock: ManualClock,
    pub emails: Arc<Mutex<Vec<Email>>>,
    client: TestClient<Arc<BoxEndpoint<'static, poem::Response>>>,
    data: PathBuf,
    /// The data folder, if the app owns it.
    temp_dir: Option<TempDir>,
}

fn ingress(public_url: &PublicUrl, limits: LimitMode) -> IngressConfig {
    IngressConfig {
        hosts: KnownHosts::new(public_url, &[]),
        proxies: TrustedProxies::default(),
        limits,
        callers: Homes::default(),
        hsts: Hsts::Off,
        gateway_origins: [CHAT_ORIGIN.parse().unwrap()].into_iter().collect(),
    }
}

fn evening() -> Timestamp {
    Timestamp::parse(EVENING).unwrap()
}

impl TestApp {
    /// Starts an empty app without rate limits.
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// Starts an app at a plain address at home that also has a name for https.
    pub async fn with_name(plain: &str, named: NamedAddress) -> Self {
        let plain = plain.parse().unwrap();
        Self::with(|settings| {
            settings.identity.public_url = plain;
            settings.identity.named = Some(named);
        })
        .await
    }

    /// The endpoint behind both of its listeners.
    pub fn endpoint_with_name(&self) -> Arc<BoxEndpoint<'static, poem::Response>> {
        let identity = &self.inner.identity;
        let ingress = ingress(identity.public_url(), LimitMode::Off);
        let named = identity.environment.named.clone().unwrap();
        let hosts = ingress.hosts.clone().and_named(named);
        server::endpoint(&self.inner, IngressConfig { hosts, ..ingress })
    }

    pub async fn with_mailer(mailer: Mailer, limits: LimitMode) -> Self {
        Self::with(|settings| {
            settings.identity.limits = limits;
            settings.mailer = mailer;
        })
        .await
    }

    pub async fn with_open_sign_up() -> Self {
        Self::with(|settings| settings.identity.open_sign_up = true).await
    }

    pub async fn on_plain_http() -> Self {
        let url = PUBLIC_URL.replace("https://", "http://");
        Self::at(&url).await
    }

    /// Starts an app with another public URL.
    pub async fn at(url: &str) -> Self {
        let url = url.parse().unwrap();
        Self::with(|settings| settings.identity.public_url = url).await
    }

    pub async fn with_rate_limits() -> Self {
        Self::with(|settings| settings.identity.limits = LimitMode::Usual).await
    }

    /// Starts an app that accepts sign-ins through this provider.
    pub async fn with_provider(provider: ProviderSettings, open_sign_up: bool) -> Self {
        Self::with(|settings| {
            settings.identity.open_sign_up = open_sign_up;
            settings.identity.provider = Some(provider);
        })
        .await
    }

    /// Starts an app in which only the administrator can add guardians and children.
    pub async fn where_the_administrator_arranges() -> Self {
        Self::with(|settings| settings.guardians_manage = false).await
    }

    /// Starts an app with other settings of its services.
    pub async fn adjusted(adjust: impl FnOnce(&mut App)) -> Self {
        let mut app = Self::new().await;
        adjust(&mut app.inner);
        let ingress = ingress(app.inner.identity.public_url(), LimitMode::Off);
        app.client = TestClient::new(server::endpoint(&app.inner, ingress));
        app
    }

    /// Lets this model review conversations.
    pub fn review_with(&mut self, settings: ReviewerSettings) {
        let settings = Arc::new(settings);
        let services = &mut *self.inner;
        let reviewer = &mut services.reviewer;
        reviewer.consents.settings = settings.clone();
        reviewer.reviewing.consents.settings = settings;
        let consents = reviewer.consents.clone();
        services.attention.dependencies.reviewer = reviewer.clone();
        services.tries.reviewer = reviewer.clone();
        services.attention.dependencies.tries = services.tries.clone();
        services.child_notices.is_reviewed =
            Arc::new(move |view, child| Ok(consents.permitted(view, child)?.is_some()));
        let ingress = ingress(self.inner.identity.public_url(), LimitMode::Off);
        self.client = TestClient::new(server::endpoint(&self.inner, ingress));
    }

    /// Serves the app on a socket, without limits, until `ending` is cancelled.
    pub async fn serve(&self, ending: CancellationToken) -> SocketAddr {
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let public_url = self.inner.identity.public_url();
        tokio::spawn(listener::serve(
            vec![BoundListener::new(socket, None)],
            server::endpoint(&self.inner, ingress(public_url, LimitMode::Off)),
            ConnectionLimits::default(),
            ending,
            Duration::ZERO,
        ));
        address
    }

    /// Starts an app with this daily storage quota for each assistant.
    pub async fn with_quota(quota: &str) -> Self {
        let quota = quota.parse().unwrap();
        Self::with(|settings| settings.assistant_quota = quota).await
    }

    /// Starts an app with these settings, in a data folder of its own.
    async fn with(configure: impl FnOnce(&mut AppSettings)) -> Self {
        let temp_dir = TempDir::new().unwrap();
        let repeatable = |settings: &mut AppSettings| {
            settings.randomness = Randomness::repeatable();
            configure(settings);
        };
        let app = Self::open(evening(), temp_dir.path(), repeatable).await;
        Self {
            temp_dir: Some(temp_dir),
            ..app
        }
    }

    /// Starts an app on this data folder, which may be empty or hold data.
    pub async fn in_folder(data: &Path) -> Self {
        Self::open(evening(), data, |_| {}).await
    }

    /// Starts an app on this data folder that accepts sign-ins through this provider.
    pub async fn in_folder_with_provider(data: &Path, provider: ProviderSettings) -> Self {
        Self::open(evening(), data, |settings| {
            settings.identity.provider = Some(provider)
        })
        .await
    }

    pub async fn restarted(self) -> Self {
        Self::in_temp_dir(self.close()).await
    }

    /// Starts an app that sends notifications and webhooks to these servers.
    pub async fn with_servers(servers: Servers) -> Self {
        Self::with_servers_at(PUBLIC_URL, servers).await
    }

    /// The same with another public URL.
    pub async fn with_servers_at(url: &str, servers: Servers) -> Self {
        let url = url.parse().unwrap();
        Self::with(|settings| {
            settings.randomness = Randomness::System;
            settings.identity.public_url = url;
            settings.servers = servers;
        })
        .await
    }

    pub async fn in_folder_with_servers(data: &Path, servers: Servers) -> Self {
        Self::open(evening(), data, |settings| settings.servers = servers).await
    }

    /// Restarts the app at this time.
    pub async fn restarted_at(self, now: Timestamp) -> Self {
        let folder = self.close();
        let app = Self::open(now, folder.path(), |_| {}).await;
        Self {
            temp_dir: Some(folder),
            ..app
        }
    }

    /// Like [`TestApp::in_folder`], and owns the folder.
    pub async fn in_temp_dir(folder: TempDir) -> Self {
        let app = Self::in_folder(folder.path()).await;
        Self {
            temp_dir: Some(folder),
            ..app
        }
    }

    /// Closes the store and returns the data folder. Panics if the app doesn't own it.
    pub fn close(self) -> TempDir {
        self.inner.store.close();
        self.temp_dir.expect("the app owns its data folder")
    }

    async fn open(now: Timestamp, data: &Path, configure: impl FnOnce(&mut AppSettings)) -> Self {
        let clock = ManualClock::at(now);
        let emails = Arc::<Mutex<Vec<Email>>>::default();
        let mut identity = IdentitySettings::usual(PUBLIC_URL.parse().unwrap());
        identity.limits = LimitMode::Off;
        let mut settings = AppSettings {
            store: Store::open(data).unwrap(),
            clock: Clock::Manual(clock.clone()),
            // Seeded randomness would repeat the ids and secrets that are already stored.
            randomness: Randomness::System,
            mailer: Mailer::Memory(emails.clone()),
            servers: Servers::default(),
            identity,
            assistant_quota: Quota::default(),
            gateway_budget: Budget::default(),
            reviewer: ReviewerSettings::default(),
            guardians_manage: true,
            helpline: None,
            // As if by a server with scheduled backups; none are made.
            backups: Some(ScheduledBackups {
                folder: data.join("backups"),
                every: Duration::from_secs(24 * 60 * 60),
                keep: 14,
            }),
        };
        configure(&mut settings);
        let ingress = ingress(&settings.identity.public_url, settings.identity.limits);
        // In a debug build its future would take a large part of a test thread's stack.
        let inner = Box::pin(App::start(settings)).await.unwrap();
        let client = TestClient::new(server::endpoint(&inner, ingress));
        Self {
            inner,
            clock,
            emails,
            client,
            data: data.to_owned(),
            temp_dir: None,
        }
    }

    /// Sends what is queued, and takes all e-mails.
    pub async fn take_emails(&self) -> Vec<Email> {
        self.inner.queue.deliver_due().await.unwrap();
        std::mem::take(&mut self.emails.lock().unwrap())
    }

    /// Sends what is queued, and takes the token out of the latest e-mail with a sign-in link.
    pub async fn take_link(&self) -> String {
        self.inner.queue.deliver_due().await.unwrap();
        let mut emails = self.emails.lock().unwrap();
        let has_link = |email: &Email| email.text.contains("#token=lnk_");
        let last = emails.iter().rposition(has_link).expect("an email");
        let email = emails.remove(last);
        let (_, token) = email.text.split_once("#token=").expect("a link");
        token.split_whitespace().next().unwrap().to_owned()
    }

    /// Waits for the next e-mail, also from background work.
    pub async fn next_email(&self) -> Email {
        loop {
            if let Some(mail) = self.emails.lock().unwrap().pop() {
                return mail;
            }
            self.inner.queue.deliver_due().await.unwrap();
            tokio::task::yield_now().await;
        }
    }

    pub fn rest_of_day(&self) -> Duration {
        let now = self.inner.clock.now();
        now.up_to_utc_day().since(now)
    }

    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Runs an administrator's operation. Returns its result and the streamed bytes.
    pub async fn run_admin<O: Operation>(
        &self,
        operation: O,
    ) -> (Result<O::Answer, AdminError>, Vec<u8>) {
        let (chunks, mut received) = pieces();
        let collected = tokio::spawn(async move {
            let mut all = Vec::new();
            while let Some(chunk) = received.recv().await {
                all.extend(chunk);
            }
            all
        });
        let reports = Reports::new(|_| {}, chunks);
        let result = operation.run(&O::On::of(&self.inner), &reports).await;
        drop(reports);
        (result, collected.await.unwrap())
    }

    /// Exports everything. Returns the export's counts and its text.
    pub async fn exported(&self) -> (Exported, String) {
        let (result, text) = self.run_admin(Export { child: None }).await;
        let exported = result.unwrap_or_else(|error| panic!("{error}"));
        (exported, String::from_utf8(text).unwrap())
    }

    pub async fn back_up(&self, file: &Path) {
        let (result, bytes) = self.run_admin(Backup).await;
        result.unwrap_or_else(|error| panic!("{error}"));
        std::fs::write(file, bytes).unwrap();
    }

    /// Adds a guardian.
    pub async fn add_guardian(&self, email: &str, name: Option<&str>) {
        let (inner, email) = (self.inner.clone(), email.parse().unwrap());
        let name = name.map(str::to_owned);
        let added = self
            .inner
            .store
            .commit(move |change| inner.identity.guardians.add(change, &email, name));
        added.await.unwrap();
    }

    /// Signs in an existing guardian by e-mail, without a step-up.
    pub async fn not_stepped_up(&self, email: &str) -> Persona<'_> {
        let signed_in = self.sign_in(email).await.json();
        self.bearer(signed_in["identity_token"].as_str().unwrap())
    }

    /// Signs a guardian in with a link from an e-mail.
    pub async fn sign_in(&self, email: &str) -> Response {
        let request = serde_json::json!({"email": email});
        self.anonymous().post("/api/auth/link", &request).await.ok();
        let token = self.take_link().await;
        let body = serde_json::json!({"email": email, "token": token}).to_string();
        let headers = [("origin", PUBLIC_URL)];
        let anonymous = self.anonymous();
        let sent = anonymous.send(Method::POST, "/api/auth/sign-in", &headers, Some(body));
        sent.await
    }

    /// Adds a guardian and signs them in.
    pub async fn guardian(&self, email: &str) -> Persona<'_> {
        self.add_guardian(email, None).await;
        self.stepped_up(email).await
    }

    /// Adds a guardian with a name and signs them in.
    pub async fn named_guardian(&self, email: &str, name: &str) -> Persona<'_> {
        self.add_guardian(email, Some(name)).await;
        self.stepped_up(email).await
    }

    /// Signs in an existing guardian with a recent step-up.
    pub async fn stepped_up(&self, email: &str) -> Persona<'_> {
        let sign_ins = &self.inner.identity.sign_ins;
        let issued = sign_ins.token_for(&email.parse().unwrap()).await.unwrap();
        self.bearer(&issued.identity_token)
    }

    /// Adds a child of these guardians.
    pub async fn child(&self, name: &str, guardians: &[&str]) -> ChildId {
        let (inner, name) = (self.inner.clone(), name.to_owned());
        let guardians = guardians
            .iter()
            .map(|email| email.parse().unwrap())
            .collect::<Vec<_>>();
        let added = self.inner.store.commit(move |change| {
            let child = inner.children.add(change, name)?.child_id;
            for email in guardians {
                let guardian = inner.identity.guardians.get(change, &email).unwrap();
                inner
                    .children
                    .link(change, child, &Caller::Guardian(guardian.id))
                    .unwrap();
            }
            Ok::<_, porchlight::kernel::store::StoreError>(child)
        });
        added.await.unwrap()
    }

    /// Makes somebody another guardian of a child.
    pub async fn link(&self, child: ChildId, email: &str) {
        let (inner, email) = (self.inner.clone(), email.parse().unwrap());
        let linked = self.inner.store.commit(move |change| {
            let guardian = inner.identity.guardians.get(change, &email).unwrap();
            let guardian = Caller::Guardian(guardian.id);
            inner.children.link(change, child, &guardian)
        });
        linked.await.unwrap();
    }

    /// Makes somebody no guardian of a child any more.
    pub async fn unlink(&self, child: ChildId, email: &str) {
        let (inner, email) = (self.inner.clone(), email.parse().unwrap());
        let unlinked = self.inner.store.commit(move |change| {
            let guardian = inner.identity.guardians.get(change, &email).unwrap();
            let guardian = Caller::Guardian(guardian.id);
            inner.children.unlink(change, child, &guardian)
        });
        unlinked.await.unwrap();
    }

    pub fn count_rows(&self, table: &'static str) -> usize {
        let all = Table::new(table).key();
        self.inner.store.keys_below(&all, usize::MAX).unwrap().len()
    }

    /// Adds an assistant that is linked to these children.
    pub async fn assistant(&self, name: &str, children: &[ChildId]) -> Persona<'_> {
        let (inner, name, children) = (self.inner.clone(), name.to_owned(), children.to_vec());
        let added = self.inner.store.commit(move |change| {
            let (assistant, key) =
                inner
                    .identity
                    .assistants
                    .add(change, &name, None, KeyKind::AssistantApi)?;
            for child in children {
                inner
                    .children
                    .link(change, child, &Caller::Assistant(assistant.id.clone()))
                    .unwrap();
            }
            Ok::<_, porchlight::identity::AssistantNameError>(key)
        });
        let key = added.await.unwrap();
        Persona {
            app: self,
            bearer: Some(key.reveal().to_owned()),
            address: None,
        }
    }

    /// Adds an assistant whose key is the gateway's, with an upstream that was added before.
    pub async fn gateway_assistant(
        &self,
        name: &str,
        children: &[ChildId],
        upstream: &str,
    ) -> Persona<'_> {
        let add = AddAssistant {
            name: name.to_owned(),
            children: children.to_vec(),
            upstream: Some(upstream.to_owned()),
        };
        let added = self.run_admin(add).await.0;
        Persona {
            app: self,
            bearer: Some(added.expect("the assistant is added").key),
            address: None,
        }
    }

    pub fn anonymous(&self) -> Persona<'_> {
        Persona {
            app: self,
            bearer: None,
            address: None,
        }
    }

    pub fn bearer(&self, credential: &str) -> Persona<'_> {
        Persona {
            app: self,
            bearer: Some(credential.to_owned()),
            address: None,
        }
    }
}

/// A client, perhaps with a credential and an address.
pub struct Persona<'a> {
    app: &'a TestApp,
    bearer: Option<String>,
    address: Option<IpAddr>,
}

impl Persona<'_> {
    pub fn at(mut self, address: &str) -> Self {
        self.address = Some(address.parse().unwrap());
        self
    }

    /// Returns the credential, or an empty string.
    pub fn credential(&self) -> &str {
        self.bearer.as_deref().unwrap_or_default()
    }

    pub async fn get(&self, path: &str) -> Response {
        self.send(Method::GET, path, &[], None).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Response {
        self.send(Method::PUT, path, &[], Some(body.to_string()))
            .await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Response {
        self.send(Method::POST, path, &[], Some(body.to_string()))
            .await
    }

    /// Delivers these fields of a session as an assistant.
    pub async fn deliver(&self, session: &str, fields: &Value) -> Response {
        let mut delivery = fields.clone();
        delivery["session"] = session.into();
        self.post("/api/assistant/deliveries", &delivery).await
    }

    /// Delivers a body that need not be valid.
    pub async fn deliver_bytes(&self, body: &[u8]) -> Response {
        let path = "/api/assistant/deliveries";
        self.send_body(Method::POST, path, &[], Some(body.to_vec()))
            .await
    }

    /// Delivers messages of the only child's session.
    pub async fn deliver_messages(&self, session: &str, messages: &Value) -> Response {
        self.deliver(session, &serde_json::json!({"messages": messages}))
            .await
    }

    /// Completes the only child's session.
    pub async fn complete(&self, session: &str, completion: &Value) -> Response {
        self.deliver(session, &serde_json::json!({"completion": completion}))
            .await
    }

    /// Sends a request with additional headers. The body need not be JSON.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> Response {
        let body = body.map(String::into_bytes);
        self.send_body(method, path, headers, body).await
    }

    async fn send_body(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Vec<u8>>,
    ) -> Response {
        let mut request = self.app.client.request(method.clone(), path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            let origin = self.app.inner.identity.public_url().origin();
            let (_, host) = origin.split_once("://").unwrap();
            request = request.header(header::HOST, host);
        }
        if let Some(address) = self.address {
            request = request.data(ClientAddress(address));
        }
        if let Some(bearer) = &self.bearer {
            request = request.header(header::AUTHORIZATION, format!("Bearer {bearer}"));
        }
        if let Some(body) = body {
            request = request.content_type("application/json").body(body);
        }
        for (name, value) in headers {
            // Not everything that a browser sends is ASCII.
            let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
            request = request.header(*name, value);
        }
        let response = request.send().await.0;
        let (status, headers) = (response.status(), response.headers().clone());
        let mut body = response.into_body();
        // An event stream doesn't end. Read it with [`Persona::stream`].
        let is_stream = headers.get(header::CONTENT_TYPE) == Some(&EVENT_STREAM);
        let body = if is_stream {
            String::new()
        } else {
            let bytes = std::mem::take(&mut body).into_bytes().await.unwrap();
            // An archive isn't UTF-8.
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let fault = contract::fault(&method, path, status, &headers, &body);
        assert_eq!(
            fault, None,
            "{method} {path} is answered as openapi.yaml doesn't say"
        );
        Response {
            status,
            headers,
            body,
        }
    }

    /// Returns a response with its body unread.
    pub async fn open(&self, path: &str) -> poem::Response {
        let request = self.app.client.request(Method::GET, path);
        let mut request = request.header(header::HOST, "porchlight.example");
        if let Some(bearer) = &self.bearer {
            request = request.header(header::AUTHORIZATION, format!("Bearer {bearer}"));
        }
        request.send().await.0
    }

    /// Returns the response's body as the server holds it, without a copy.
    pub async fn body(&self, path: &str) -> Bytes {
        let response = self.open(path).await;
        response.into_body().into_bytes().await.unwrap()
    }

    /// Returns all matches of a search. The server answers each request after a limited time, with where to continue.
    pub async fn find_all(&self, child: ChildId, words: &str) -> Vec<Value> {
        let path = format!("/api/child/{child}/search");
        let mut request = serde_json::json!({"words": words});
        let mut all = Vec::new();
        loop {
            let page = self.post(&path, &request).await.json();
            all.extend(page["matches"].as_array().unwrap().iter().cloned());
            match &page["next"] {
                Value::Null => return all,
                next => request["after"] = next.clone(),
            }
        }
    }

    /// The kinds of changes in a child's history, newest first.
    pub async fn history(&self, child: ChildId) -> Vec<String> {
        let page = self
            .get(&format!("/api/child/{child}/history"))
            .await
            .json();
        let entries = page["items"].as_array().unwrap().iter();
        let whats = entries.map(|entry| entry["what"].as_str().unwrap());
        whats.map(str::to_owned).collect()
    }

    /// Opens a stream of events.
    pub async fn stream(&self, path: &str) -> Events {
        // Earlier writes are sent to open streams only; wait until they are.
        until_notified().await;
        let bearer = format!("Bearer {}", self.credential());
        let request = self.app.client.request(Method::GET, path);
        let request = request
            .header(header::HOST, "porchlight.example")
            .header(header::AUTHORIZATION, bearer);
        let response = request.send().await.0;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()[header::CONTENT_TYPE], EVENT_STREAM);
        let unchanged_for = &response.headers()["porchlight-unchanged-for"];
        let unchanged_for = unchanged_for.to_str().unwrap().parse().unwrap();
        Events {
            unchanged_for: std::time::Duration::from_millis(unchanged_for),
            body: response.into_body().into_bytes_stream().boxed(),
            received: String::new(),
        }
    }
}

/// Waits until the open streams were notified of what was written: a write wakes the task that notifies them at most 10 ms
/// later, by a clock that is advanced here.
pub async fn until_notified() {
    tokio::time::pause();
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    tokio::time::resume();
}

const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");

/// An open stream of events.
pub struct Events {
    /// How long nothing had changed when it was opened.
    pub unchanged_for: std::time::Duration,
    body: BoxStream<'static, std::io::Result<Bytes>>,
    received: String,
}

impl Events {
    /// Returns the next event, or `:` for a heartbeat; `None` at the stream's end.
    pub async fn next(&mut self) -> Option<String> {
        loop {
            if let Some((event, rest)) = self.received.split_once("\n\n") {
                let event = event.strip_prefix("data: ").unwrap_or(event).to_owned();
                self.received = rest.to_owned();
                return Some(event);
            }
            let piece = self.body.next().await?.unwrap();
            self.received += str::from_utf8(&piece).unwrap();
        }
    }

    /// Returns the events up to this one. Panics if the stream ends before, or sends a heartbeat instead.
    pub async fn until(&mut self, last: &str) -> Vec<String> {
        let mut events = Vec::new();
        while events.last().is_none_or(|event| event != last) {
            let event = self
                .next()
                .await
                .filter(|event| event != ":" || last == ":");
            events.push(event.unwrap_or_else(|| panic!("no {last} after {events:?}")));
        }
        events
    }
}

/// A received HTTP response.
#[derive(Debug)]
pub struct Response {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
}

impl Response {
    /// Returns the JSON body. Panics unless the status is a success.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert!(self.status.is_success(), "{}: {}", self.status, self.body);
        serde_json::from_str(&self.body).expect("the body is JSON")
    }

    /// Panics unless the status is a success.
    #[track_caller]
    pub fn ok(&self) {
        assert!(self.status.is_success(), "{}: {}", self.status, self.body);
    }

    /// Returns the error's `detail`. Panics unless this is the status.
    #[track_caller]
    pub fn problem(&self, status: u16) -> String {
        self.problem_at(status).0
    }

    /// Returns the error's `detail` and `at`. Panics unless this is the status.
    #[track_caller]
    pub fn problem_at(&self, status: u16) -> (String, Option<String>) {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        let problem: Value = serde_json::from_str(&self.body).expect("the error is JSON");
        let text = |value: &Value| value.as_str().expect("a string").to_owned();
        (text(&problem["detail"]), problem.get("at").map(text))
    }

    /// Returns the header's value, or an empty string.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }
}

/// Restores an unencrypted backup into a data folder.
pub fn restore(file: &Path, data: &Path, named: Named) -> Result<Restored, AdminError> {
    backup::restore(file, data, &Identities::default(), named, |_, _| {})
}
