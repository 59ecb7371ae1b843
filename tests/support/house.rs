//! A Porchlight for one test: the real app behind the real endpoint, with a clock that stands still, chance
//! that repeats itself, and letters that stay in memory. Tests speak to it as personas.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use poem::Response;
use poem::endpoint::BoxEndpoint;
use poem::http::{HeaderMap, Method, StatusCode, header};
use poem::test::TestClient;
use porchlight::admin::{AdminError, Answer as Done, Exported, Request, execute, stream};
use porchlight::app::{App, Surroundings};
use porchlight::assistant::Quota;
use porchlight::children::ChildId;
use porchlight::identity::{Caller, IdentitySettings, ProviderSettings};
use porchlight::kernel::clock::{Clock, ManualClock, Timestamp};
use porchlight::kernel::limit::Leniency;
use porchlight::kernel::mail::{Letter, Mailer};
use porchlight::kernel::randomness::Randomness;
use porchlight::kernel::store::Store;
use porchlight::server::{self, ClientAddress, Entrance, KnownHosts, TrustedProxies};
use serde_json::Value;
use tempfile::TempDir;

/// Where the tests' Porchlight believes to be.
pub const PUBLIC_URL: &str = "https://porchlight.example";

/// When the tests take place: a Saturday evening.
pub const EVENING: &str = "2026-11-21T20:00:00Z";

/// A running Porchlight.
pub struct House {
    pub app: App,
    pub clock: ManualClock,
    pub letters: Arc<Mutex<Vec<Letter>>>,
    client: TestClient<Arc<BoxEndpoint<'static, Response>>>,
    data: PathBuf,
    /// The folder when it is this house's own.
    owned: Option<TempDir>,
}

impl House {
    /// A house without anybody in it, and without limits: they have tests of their own.
    pub async fn new() -> Self {
        Self::with(Leniency::Off, |_| {}).await
    }

    /// A house whose letters go this way.
    pub async fn with_mailer(mailer: Mailer) -> Self {
        Self::build(Leniency::Off, Some(mailer), |_| {}).await
    }

    /// A house that lets anybody sign up.
    pub async fn open_to_all() -> Self {
        Self::with(Leniency::Off, |settings| settings.open_sign_up = true).await
    }

    /// A house whose public URL is plain http.
    pub async fn on_plain_http() -> Self {
        let url = PUBLIC_URL.replace("https://", "http://");
        Self::with(Leniency::Off, |settings| {
            settings.public_url = url.parse().unwrap()
        })
        .await
    }

    /// A house with the usual limits.
    pub async fn limited() -> Self {
        Self::with(Leniency::Usual, |_| {}).await
    }

    /// A house in which one can sign in with an account at this provider.
    pub async fn with_provider(provider: ProviderSettings, open_sign_up: bool) -> Self {
        let with_provider = |settings: &mut IdentitySettings| {
            settings.open_sign_up = open_sign_up;
            settings.provider = Some(provider);
        };
        Self::with(Leniency::Off, with_provider).await
    }

    /// A house in which an assistant may store so much in a day.
    pub async fn with_quota(quota: &str) -> Self {
        let owned = TempDir::new().unwrap();
        let (chance, quota) = (Randomness::repeatable(), quota.parse().unwrap());
        let house = Self::open(owned.path(), chance, Leniency::Off, quota, None, |_| {}).await;
        Self {
            owned: Some(owned),
            ..house
        }
    }

    async fn with(limits: Leniency, decide: impl FnOnce(&mut IdentitySettings)) -> Self {
        Self::build(limits, None, decide).await
    }

    async fn build(
        limits: Leniency,
        mailer: Option<Mailer>,
        decide: impl FnOnce(&mut IdentitySettings),
    ) -> Self {
        let owned = TempDir::new().unwrap();
        let chance = Randomness::repeatable();
        let house = Self::open(
            owned.path(),
            chance,
            limits,
            Quota::default(),
            mailer,
            decide,
        )
        .await;
        Self {
            owned: Some(owned),
            ..house
        }
    }

    /// A house in this folder, which may hold one already.
    pub async fn in_folder(data: &Path) -> Self {
        // Chance that repeated itself would give out again what was given out before.
        Self::open(
            data,
            Randomness::System,
            Leniency::Off,
            Quota::default(),
            None,
            |_| {},
        )
        .await
    }

    /// The same house after a restart.
    pub async fn restarted(self) -> Self {
        Self::in_owned(self.close()).await
    }

    /// [`House::in_folder`] that keeps the folder.
    pub async fn in_owned(folder: TempDir) -> Self {
        let house = Self::in_folder(folder.path()).await;
        Self {
            owned: Some(folder),
            ..house
        }
    }

    /// Ends it and gives its folder, which must be its own.
    pub fn close(self) -> TempDir {
        self.app.store.close();
        self.owned.expect("the folder is this house's own")
    }

    async fn open(
        data: &Path,
        randomness: Randomness,
        limits: Leniency,
        assistant_quota: Quota,
        mailer: Option<Mailer>,
        decide: impl FnOnce(&mut IdentitySettings),
    ) -> Self {
        let clock = ManualClock::at(Timestamp::parse(EVENING).unwrap());
        let letters = Arc::<Mutex<Vec<Letter>>>::default();
        let mut identity = IdentitySettings::usual(PUBLIC_URL.parse().unwrap());
        identity.limits = limits;
        decide(&mut identity);
        let entrance = Entrance {
            hosts: KnownHosts::new(&identity.public_url, &[]),
            proxies: TrustedProxies::default(),
            limits,
        };
        let app = App::start(Surroundings {
            store: Store::open(data, false).unwrap(),
            clock: Clock::Manual(clock.clone()),
            randomness,
            mailer: mailer.unwrap_or_else(|| Mailer::Memory(letters.clone())),
            identity,
            assistant_quota,
        });
        let app = app.await.unwrap();
        let client = TestClient::new(server::endpoint(&app, entrance));
        Self {
            app,
            clock,
            letters,
            client,
            data: data.to_owned(),
            owned: None,
        }
    }

    /// The folder that holds everything.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Asks as the administrator; the answer, and what came in pieces.
    pub async fn ask(&self, request: Request) -> (Result<Done, AdminError>, Vec<u8>) {
        let (pieces, mut received) = stream::pieces();
        let collecting = tokio::spawn(async move {
            let mut all = Vec::new();
            while let Some(piece) = received.recv().await {
                all.extend(piece);
            }
            all
        });
        let answer = execute(&self.app, request, &|_| {}, &pieces).await;
        drop(pieces);
        (answer, collecting.await.unwrap())
    }

    /// An export of everything, and what is said of it.
    pub async fn exported(&self) -> (Exported, String) {
        let (answer, text) = self.ask(Request::Export { child: None }).await;
        let Done::Exported(exported) = answer.unwrap_or_else(|error| panic!("{error}")) else {
            panic!("an export answers what it holds");
        };
        (exported, String::from_utf8(text).unwrap())
    }

    /// Makes a backup.
    pub async fn back_up(&self, file: &Path) {
        let (answer, bytes) = self.ask(Request::Backup).await;
        answer.unwrap_or_else(|error| panic!("{error}"));
        std::fs::write(file, bytes).unwrap();
    }

    /// Adds a guardian and signs them in.
    pub async fn guardian(&self, email: &str) -> Persona<'_> {
        let address = email.parse().unwrap();
        let (app, added) = (self.app.clone(), address);
        let guardian = self
            .app
            .store
            .commit(move |change| app.identity.guardians.add(change, &added, None))
            .await
            .unwrap()
            .unwrap();
        let issued = self
            .app
            .identity
            .sign_ins
            .token_for(&guardian.email)
            .await
            .unwrap();
        Persona {
            house: self,
            bearer: Some(issued.identity_token),
            address: None,
        }
    }

    /// Adds a child of these guardians.
    pub async fn child(&self, name: &str, guardians: &[&str]) -> ChildId {
        let (app, name) = (self.app.clone(), name.to_owned());
        let guardians = guardians
            .iter()
            .map(|email| email.parse().unwrap())
            .collect::<Vec<_>>();
        let added = self.app.store.commit(move |change| {
            let child = app.children.add(change, name)?.child_id;
            for email in guardians {
                let guardian = app.identity.guardians.get(change, &email).unwrap();
                app.children
                    .link(change, child, &Caller::Guardian(guardian.id))
                    .unwrap();
            }
            Ok::<_, porchlight::kernel::store::StoreError>(child)
        });
        added.await.unwrap().unwrap()
    }

    /// Adds an assistant that delivers for these children.
    pub async fn assistant(&self, name: &str, children: &[ChildId]) -> Persona<'_> {
        let (app, name, children) = (self.app.clone(), name.to_owned(), children.to_vec());
        let added = self.app.store.commit(move |change| {
            let (assistant, key) = app.identity.assistants.add(change, &name)?;
            for child in children {
                app.children
                    .link(change, child, &Caller::Assistant(assistant.id.clone()))
                    .unwrap();
            }
            Ok::<_, porchlight::identity::IdentityError>(key)
        });
        let key = added.await.unwrap().unwrap();
        Persona {
            house: self,
            bearer: Some(key.reveal().to_owned()),
            address: None,
        }
    }

    /// Nobody in particular.
    pub fn anybody(&self) -> Persona<'_> {
        Persona {
            house: self,
            bearer: None,
            address: None,
        }
    }

    /// Whoever carries this credential.
    pub fn bearer(&self, credential: &str) -> Persona<'_> {
        Persona {
            house: self,
            bearer: Some(credential.to_owned()),
            address: None,
        }
    }
}

/// Somebody who calls.
pub struct Persona<'a> {
    house: &'a House,
    bearer: Option<String>,
    address: Option<IpAddr>,
}

impl Persona<'_> {
    /// The same, calling from this address.
    pub fn at(mut self, address: &str) -> Self {
        self.address = Some(address.parse().unwrap());
        self
    }

    /// The credential they carry.
    pub fn credential(&self) -> &str {
        self.bearer.as_deref().unwrap_or_default()
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], None).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::PUT, path, &[], Some(body.to_string()))
            .await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, &[], Some(body.to_string()))
            .await
    }

    /// Sends a request with more headers, and a body that need not be JSON.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> Answer {
        let mut request = self.house.client.request(method, path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header(header::HOST, "porchlight.example");
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
            request = request.header(*name, *value);
        }
        let response = request.send().await.0;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.into_body().into_string().await.unwrap();
        Answer {
            status,
            headers,
            body,
        }
    }
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    /// The body as JSON, of a success.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert!(self.status.is_success(), "{}: {}", self.status, self.body);
        serde_json::from_str(&self.body).expect("an answer of the API is JSON")
    }

    /// That it succeeded.
    #[track_caller]
    pub fn ok(&self) {
        assert!(self.status.is_success(), "{}: {}", self.status, self.body);
    }

    /// The sentence of an error, which must have this status.
    #[track_caller]
    pub fn problem(&self, status: u16) -> String {
        self.problem_at(status).0
    }

    /// The sentence of an error, which must have this status, and the place that it names.
    #[track_caller]
    pub fn problem_at(&self, status: u16) -> (String, Option<String>) {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        let problem: Value = serde_json::from_str(&self.body).expect("every error is JSON");
        let fields = problem.as_object().expect("every error is an object");
        assert!(
            fields
                .keys()
                .all(|name| ["detail", "at"].contains(&name.as_str())),
            "an error has a detail, perhaps a place, and nothing else: {}",
            self.body
        );
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        (text(&problem["detail"]), problem.get("at").map(text))
    }

    /// A header's value, or nothing.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }
}
