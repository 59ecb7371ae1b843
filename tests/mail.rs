//! Failures of the mail server: requests still succeed, e-mails are retried or dropped, and no secret is queued.

#[path = "../src/kernel/outgoing/mail/smtp/tests/fake_server.rs"]
#[allow(
    dead_code,
    reason = "these tests have servers that answer more than once"
)]
mod fake_server;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::files::folder_contains;
use crate::support::process::Home;
use crate::support::test_app::{PUBLIC_URL, Response, TestApp};
use fake_server::Answer::{HangUp, Say, Silence, Trickle, UpgradeToTls};
use fake_server::{Script, play, self_signed, willing};
use poem::http::Method;
use porchlight::kernel::http::limit::LimitMode;
use porchlight::kernel::outgoing::mail::{MailIds, Mailer, SmtpMailer, SmtpSettings};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Barrier, mpsc};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

const ADA: &str = "ada@example.org";
const BOB: &str = "bob@example.org";

/// A timeout that a working server never reaches, even on a busy machine.
const FAR: Duration = Duration::from_secs(15);

/// The timeout for servers that are meant to exceed it.
const SOON: Duration = Duration::from_millis(100);

/// How the mail server handles one connection.
#[derive(Clone)]
enum Treatment {
    Plays(Script),
    /// Sends the banner after the timeout.
    Late,
    /// Runs the first script in the clear, then the second under TLS.
    StartTls(Script, TlsAcceptor),
    Tls(TlsAcceptor),
    /// Responds to the e-mails only once this many were received completely.
    Filters(Arc<Barrier>),
}

/// A mail server on loopback that treats each connection differently. The last treatment repeats.
struct MailServer {
    port: u16,
    lines: mpsc::UnboundedReceiver<String>,
    received: Vec<String>,
    connected: mpsc::UnboundedReceiver<()>,
    open: JoinHandle<()>,
}

impl MailServer {
    async fn open(treatments: Vec<Treatment>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (tell, connected) = mpsc::unbounded_channel();
        let (tell_line, lines) = mpsc::unbounded_channel();
        let open = tokio::spawn(async move {
            for number in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                let _ = tell.send(());
                let treatment = treatments[number.min(treatments.len() - 1)].clone();
                tokio::spawn(treat(treatment, stream, tell_line.clone()));
            }
        });
        Self {
            port,
            lines,
            received: Vec::new(),
            connected,
            open,
        }
    }

    /// Returns all received lines so far.
    fn received(&mut self) -> &[String] {
        while let Ok(line) = self.lines.try_recv() {
            self.received.push(line);
        }
        &self.received
    }

    /// Waits for the next e-mail. Returns all received lines.
    async fn next_email(&mut self) -> &[String] {
        loop {
            let line = self.lines.recv().await.unwrap();
            let ended = line == ".";
            self.received.push(line);
            if ended {
                return &self.received;
            }
        }
    }

    fn connections(&mut self) -> usize {
        std::iter::from_fn(|| self.connected.try_recv().ok()).count()
    }

    /// Counts the e-mails to this address.
    fn emails_for(&mut self, email: &str) -> usize {
        let command = format!("RCPT TO:<{email}>");
        self.received()
            .iter()
            .filter(|line| **line == command)
            .count()
    }

    /// Returns the link's token in the last e-mail.
    fn last_token(&mut self) -> Option<String> {
        // In quoted-printable, a `=` at the end continues a line.
        let received = self.received().join("\n").replace("=\n", "");
        let start = received.rfind("lnk_")?;
        Some(received[start..][.."lnk_".len() + 43].to_owned())
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        self.open.abort();
    }
}

async fn treat(
    treatment: Treatment,
    stream: tokio::net::TcpStream,
    tell: mpsc::UnboundedSender<String>,
) {
    match treatment {
        Treatment::Plays(script) => {
            play(stream, script, &tell).await;
        }
        Treatment::Filters(all) => {
            // It responds to an e-mail once the others have arrived, too. The lines of different connections are not mixed.
            let lines = Mutex::new(Vec::new());
            let held = |line: String| {
                let is_whole = line == ".";
                let mut lines = lines.lock().unwrap();
                lines.push(line);
                if is_whole {
                    for line in lines.drain(..) {
                        let _ = tell.send(line);
                    }
                }
                is_whole
            };
            filter(stream, held, &all).await;
        }
        Treatment::Late => {
            // The client says nothing before the banner, so the end of its bytes is the end of its patience.
            let _ = stream.peek(&mut [0]).await;
            play(stream, willing, &tell).await;
        }
        Treatment::StartTls(script, tls) => {
            let Some(stream) = play(stream, script, &tell).await else {
                return;
            };
            if let Ok(stream) = tls.accept(stream).await {
                play(stream, without_banner, &tell).await;
            }
        }
        Treatment::Tls(tls) => {
            if let Ok(stream) = tls.accept(stream).await {
                play(stream, willing, &tell).await;
            }
        }
    }
}

/// An accepting server that waits at the barrier before it responds to an e-mail. `hear` returns whether a line ends one.
async fn filter(stream: TcpStream, hear: impl Fn(String) -> bool, all: &Barrier) -> Option<()> {
    let mut stream = BufReader::new(stream);
    let mut in_email = false;
    let mut answer = "220 ready\r\n";
    loop {
        stream.write_all(answer.as_bytes()).await.ok()?;
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_owned();
        let begins = !in_email && line == "DATA";
        let ends = hear(line) && in_email;
        if ends {
            all.wait().await;
        }
        in_email = begins || (in_email && !ends);
        answer = match (begins, in_email) {
            (true, _) => "354 go on\r\n",
            (false, true) => "",
            (false, false) => "250 fine\r\n",
        };
    }
}

fn without_banner(command: &str) -> fake_server::Answer {
    if command.is_empty() {
        Say("")
    } else {
        willing(command)
    }
}

/// Returns a mailer with this timeout for each step.
fn mailer(url: &str, step: Duration, ca_file: Option<&Path>) -> Mailer {
    let mut settings = SmtpSettings::parse(url).unwrap();
    if let Some(file) = ca_file {
        settings = settings.with_ca_file(file);
    }
    let mail_ids = MailIds {
        sent_at: 1_767_225_600,
        serial: 0xfeed,
    };
    let from = "hello@porchlight.example".parse().unwrap();
    let mut mailer = SmtpMailer::new(settings, from, Arc::new(move || mail_ids)).unwrap();
    mailer.step_deadline = step;
    Mailer::Smtp(Arc::new(mailer))
}

/// Starts an app with Ada and Bob that uses this mail server.
async fn start_app(relay: &MailServer, step: Duration) -> TestApp {
    start_app_with(&format!("smtp://127.0.0.1:{}", relay.port), step, None).await
}

async fn start_app_with(url: &str, step: Duration, ca_file: Option<&Path>) -> TestApp {
    let app = TestApp::with_mailer(mailer(url, step, ca_file), LimitMode::Off).await;
    app.guardian(ADA).await;
    app.guardian(BOB).await;
    app
}

async fn request_link(app: &TestApp, email: &str) -> Response {
    app.anonymous()
        .post("/api/auth/link", &json!({"email": email}))
        .await
}

async fn sign_in(app: &TestApp, email: &str, token: &str) -> Response {
    let body = json!({"email": email, "token": token}).to_string();
    let ours = [("origin", PUBLIC_URL)];
    let anonymous = app.anonymous();
    anonymous
        .send(Method::POST, "/api/auth/sign-in", &ours, Some(body))
        .await
}

/// Returns a certificate for the mail server's two names, and its file.
fn certificate() -> (TlsAcceptor, tempfile::NamedTempFile) {
    self_signed(&["127.0.0.1", "0.0.0.0"])
}

/// The delay after a temporary failure.
const RETRIED: Option<Duration> = Some(Duration::from_secs(15));
/// After a permanent one.
const DROPPED: Option<Duration> = None;

fn banner_421(command: &str) -> fake_server::Answer {
    match command {
        "" => Say("421 4.3.2 too busy for ada@example.org\r\n"),
        _ => willing(command),
    }
}

fn greylists(command: &str) -> fake_server::Answer {
    if command.starts_with("RCPT") {
        Say("450 4.2.0 greylisted\r\n")
    } else {
        willing(command)
    }
}

fn no_such_person(command: &str) -> fake_server::Answer {
    if command.starts_with("RCPT") {
        Say("550 5.1.1 no ada@example.org here\r\n")
    } else {
        willing(command)
    }
}

fn hangs_up_after_data(command: &str) -> fake_server::Answer {
    match command {
        "." => HangUp,
        _ => willing(command),
    }
}

#[tokio::test]
async fn after_each_mail_server_failure_an_email_is_retried_or_dropped_and_no_secret_is_stored() {
    let ways: [(&str, Duration, Treatment, Option<Duration>); 9] = [
        ("silent", SOON, Treatment::Plays(|_| Silence), RETRIED),
        ("a banner too late", SOON, Treatment::Late, RETRIED),
        (
            "a byte at a time",
            SOON,
            Treatment::Plays(|_| Trickle),
            RETRIED,
        ),
        ("hangs up", FAR, Treatment::Plays(|_| HangUp), RETRIED),
        ("421", FAR, Treatment::Plays(banner_421), RETRIED),
        ("450", FAR, Treatment::Plays(greylists), RETRIED),
        ("550", FAR, Treatment::Plays(no_such_person), DROPPED),
        (
            "554 to the email",
            FAR,
            Treatment::Plays(|c| {
                if c == "." {
                    Say("554 spam\r\n")
                } else {
                    willing(c)
                }
            }),
            DROPPED,
        ),
        (
            "no SMTP at all",
            FAR,
            Treatment::Plays(|_| Say("HTTP/1.1 400 Bad Request\r\n\r\n")),
            RETRIED,
        ),
    ];

    for (way, step, treatment, then) in ways {
        let mut relay = MailServer::open(vec![treatment]).await;
        let app = start_app(&relay, step).await;

        request_link(&app, ADA).await.ok();
        let next = app.inner.queue.deliver_due().await.unwrap();

        assert_eq!(next, then, "{way}");
        assert!(folder_contains(app.data(), ADA), "{way}");
        assert!(!folder_contains(app.data(), "lnk_"), "{way}");
        if let Some(token) = relay.last_token() {
            sign_in(&app, ADA, &token).await.problem(401);
        }
    }
}

#[tokio::test]
async fn without_a_mail_server_the_email_is_retried() {
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap().port()
    };
    let app = start_app_with(&format!("smtp://127.0.0.1:{port}"), FAR, None).await;

    request_link(&app, ADA).await.ok();

    let next = app.inner.queue.deliver_due().await.unwrap();
    assert_eq!(next, RETRIED);
}

#[tokio::test]
async fn a_silent_mail_server_delays_no_response_and_one_email_per_address_is_queued() {
    let mut relay = MailServer::open(vec![
        Treatment::Plays(|_| Silence),
        Treatment::Plays(willing),
    ])
    .await;
    let app = start_app(&relay, FAR).await;
    request_link(&app, ADA).await.ok();
    let queue = app.inner.queue.clone();
    let delivering = tokio::spawn(async move { queue.deliver_due().await });
    relay.connected.recv().await.unwrap();

    let mut responses = Vec::new();
    for email in [ADA, ADA, BOB, "Bob@Example.org", "nobody@example.org"] {
        responses.push(request_link(&app, email).await);
    }

    assert!(!delivering.is_finished(), "the delivery is in progress");
    for response in &responses {
        assert_eq!(
            (response.status.as_u16(), response.body.as_str()),
            (202, "")
        );
    }
    // Simulates a stop of the server: the next start sends the queue.
    delivering.abort();
    assert!(delivering.await.unwrap_err().is_cancelled());
    let next = app.inner.queue.deliver_due().await.unwrap();
    assert_eq!(next, None, "the queue is empty");
    assert_eq!([ADA, BOB].map(|email| relay.emails_for(email)), [1, 1]);
}

#[tokio::test]
async fn a_retried_email_arrives_once_and_its_link_works() {
    for failing in [greylists as Script, banner_421] {
        let mut relay = MailServer::open(vec![
            Treatment::Plays(failing),
            Treatment::Plays(failing),
            Treatment::Plays(willing),
        ])
        .await;
        let app = start_app(&relay, FAR).await;
        let queue = &app.inner.queue;
        request_link(&app, ADA).await.ok();

        assert_eq!(queue.deliver_due().await.unwrap(), RETRIED);
        request_link(&app, ADA).await.ok();
        assert_eq!(queue.deliver_due().await.unwrap(), RETRIED);
        app.clock.advance(Duration::from_secs(15));
        let second_pause = queue.deliver_due().await.unwrap();
        assert_eq!(second_pause, Some(Duration::from_secs(30)));
        app.clock.advance(Duration::from_secs(30));
        assert_eq!(queue.deliver_due().await.unwrap(), None);

        assert_eq!(relay.connections(), 3, "two failures and a success");
        sign_in(&app, ADA, &relay.last_token().unwrap()).await.ok();
    }
}

#[tokio::test]
async fn an_email_whose_outcome_is_unknown_counts_as_sent_and_its_link_works() {
    let mut relay = MailServer::open(vec![Treatment::Plays(hangs_up_after_data)]).await;
    let app = start_app(&relay, FAR).await;
    request_link(&app, ADA).await.ok();

    let next = app.inner.queue.deliver_due().await.unwrap();

    assert_eq!(next, None, "it isn't sent again");
    assert_eq!(relay.connections(), 1);
    sign_in(&app, ADA, &relay.last_token().unwrap()).await.ok();
}

#[tokio::test]
async fn emails_in_a_slow_content_filter_delay_no_others_and_their_links_already_work() {
    let guardians = 6;
    let all = Arc::new(Barrier::new(guardians + 1));
    let mut relay = MailServer::open(vec![Treatment::Filters(all.clone())]).await;
    let app = start_app(&relay, FAR).await;
    for number in 2..guardians {
        app.guardian(&format!("{number}@example.org")).await;
    }
    request_link(&app, ADA).await.ok();
    request_link(&app, BOB).await.ok();
    for number in 2..guardians {
        let address = format!("{number}@example.org");
        request_link(&app, &address).await.ok();
    }
    let queue = app.inner.queue.clone();
    let delivering = tokio::spawn(async move { queue.deliver_due().await });

    let sent = async {
        for _ in 0..guardians {
            relay.next_email().await;
        }
    };
    let sent = tokio::time::timeout(Duration::from_secs(10), sent).await;

    assert!(
        sent.is_ok(),
        "more than four are sent before one is answered"
    );
    assert!(!delivering.is_finished());
    app.clock.advance(Duration::from_secs(9 * 60));
    let token = relay.last_token().unwrap();
    let to = relay
        .received()
        .iter()
        .rev()
        .find_map(|line| line.strip_prefix("RCPT TO:<"));
    let to = to.unwrap().trim_end_matches('>').to_owned();
    sign_in(&app, &to, &token).await.ok();
    all.wait().await;
    assert_eq!(delivering.await.unwrap().unwrap(), None);
    sign_in(&app, &to, &token).await.problem(401);
}

#[tokio::test]
async fn a_links_thirty_minutes_begin_when_its_email_was_sent() {
    let all = Arc::new(Barrier::new(2));
    let mut relay = MailServer::open(vec![Treatment::Filters(all.clone())]).await;
    let app = start_app(&relay, FAR).await;
    let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
    request_link(&app, ADA).await.ok();
    let queue = app.inner.queue.clone();
    let delivering = tokio::spawn(async move { queue.deliver_due().await });
    relay.next_email().await;

    app.clock.advance(minutes(9));
    all.wait().await;
    assert_eq!(delivering.await.unwrap().unwrap(), None);
    app.clock.advance(minutes(20));

    sign_in(&app, ADA, &relay.last_token().unwrap()).await.ok();
}

#[tokio::test]
async fn an_email_is_dropped_after_an_hour_of_failures() {
    let relay = MailServer::open(vec![Treatment::Plays(greylists)]).await;
    let app = start_app(&relay, FAR).await;
    request_link(&app, ADA).await.ok();

    let mut tries = 0;
    while let Some(pause) = app.inner.queue.deliver_due().await.unwrap() {
        app.clock.advance(pause);
        tries += 1;
    }

    assert_eq!(tries, 10);
    request_link(&app, ADA).await.ok();
    let next = app.inner.queue.deliver_due().await.unwrap();
    assert_eq!(next, RETRIED, "a new request queues a new email");
}

#[tokio::test]
async fn emails_and_passwords_are_never_sent_in_the_clear() {
    let (tls, _) = certificate();
    let (_, another) = certificate();
    let upgrades: Script = |c| {
        if c == "STARTTLS" {
            UpgradeToTls
        } else {
            willing(c)
        }
    };
    let ways: [(&str, &str, Treatment); 5] = [
        (
            "no STARTTLS",
            "smtp",
            Treatment::Plays(|c| {
                if c == "STARTTLS" {
                    Say("502 no\r\n")
                } else {
                    willing(c)
                }
            }),
        ),
        (
            "STARTTLS and then no TLS",
            "smtp",
            Treatment::Plays(|c| {
                if c == "STARTTLS" {
                    Say("220 go on\r\n")
                } else {
                    willing(c)
                }
            }),
        ),
        (
            "STARTTLS with a bad certificate",
            "smtp",
            Treatment::StartTls(upgrades, tls.clone()),
        ),
        ("a bad certificate", "smtps", Treatment::Tls(tls)),
        ("no TLS at all", "smtps", Treatment::Plays(willing)),
    ];

    for (way, scheme, treatment) in ways {
        let mut relay = MailServer::open(vec![treatment]).await;
        // A name of this machine that Porchlight doesn't recognize as local.
        let url = format!("{scheme}://porch:s3cret@0.0.0.0:{}", relay.port);
        // A TLS server waits for the client, and a plain client for the banner, until one times out.
        let step = if way == "no TLS at all" { SOON } else { FAR };
        let app = start_app_with(&url, step, Some(another.path())).await;

        request_link(&app, ADA).await.ok();
        let next = app.inner.queue.deliver_due().await.unwrap();

        assert_eq!(next, RETRIED, "{way}");
        for line in relay.received() {
            let tells = ["AUTH", "MAIL", "RCPT", "DATA", ADA];
            let mentioned = tells.iter().any(|word| line.contains(word));
            assert!(!mentioned, "{way}: {line}");
        }
    }
}

#[tokio::test]
async fn an_email_under_starttls_arrives_when_the_certificate_is_trusted() {
    let (tls, trusted) = certificate();
    let upgrades: Script = |c| {
        if c == "STARTTLS" {
            UpgradeToTls
        } else {
            willing(c)
        }
    };
    let mut relay = MailServer::open(vec![Treatment::StartTls(upgrades, tls)]).await;
    let url = format!("smtp://porch:s3cret@0.0.0.0:{}", relay.port);
    let app = start_app_with(&url, FAR, Some(trusted.path())).await;

    request_link(&app, ADA).await.ok();
    let next = app.inner.queue.deliver_due().await.unwrap();

    assert_eq!(next, None);
    sign_in(&app, ADA, &relay.last_token().unwrap()).await.ok();
}

#[tokio::test]
async fn failed_tries_do_not_count_towards_the_three_emails_a_day_of_an_unverified_address() {
    const NEW: &str = "ada@new.example";
    let mut relay = MailServer::open(vec![Treatment::Plays(greylists)]).await;
    let url = format!("smtp://127.0.0.1:{}", relay.port);
    let app = TestApp::with_mailer(mailer(&url, FAR, None), LimitMode::Usual).await;
    app.add_guardian(ADA, None).await;
    let ada = app.stepped_up(ADA).await;
    let address = json!({ "email": NEW });
    ada.put("/api/auth/address", &address).await.ok();

    for _ in 0..5 {
        app.inner.queue.deliver_due().await.unwrap();
        app.clock.advance(Duration::from_secs(30 * 60));
    }

    assert_eq!(relay.emails_for(NEW), 5);
}

#[tokio::test]
async fn the_queue_holds_five_hundred_emails_and_refuses_more_for_known_and_unknown_addresses() {
    let mut relay = MailServer::open(vec![
        Treatment::Plays(|_| Silence),
        Treatment::Plays(willing),
    ])
    .await;
    let app = start_app(&relay, FAR).await;
    let identity = app.inner.identity.clone();
    let added = app.inner.store.commit(move |change| {
        for number in 1..500 {
            let email = format!("{number}@example.org").parse().unwrap();
            identity.guardians.add(change, &email, None)?;
        }
        Ok::<_, porchlight::identity::GuardianNameError>(())
    });
    added.await.unwrap();
    request_link(&app, ADA).await.ok();
    let queue = app.inner.queue.clone();
    let delivering = tokio::spawn(async move { queue.deliver_due().await });
    relay.connected.recv().await.unwrap();

    for number in 1..500 {
        request_link(&app, &format!("{number}@example.org"))
            .await
            .ok();
    }
    for email in [BOB, "nobody@example.org"] {
        let refused = request_link(&app, email).await;

        assert_eq!(
            refused.problem(429),
            "Too many emails are waiting to be sent. Please try again in a few minutes."
        );
        assert_eq!(refused.header("retry-after"), "300");
    }
    request_link(&app, ADA).await.ok();
    delivering.abort();
    assert!(delivering.await.unwrap_err().is_cancelled());
    app.inner.queue.deliver_due().await.unwrap();
    request_link(&app, BOB).await.ok();
    app.inner.queue.deliver_due().await.unwrap();
    assert_eq!(relay.emails_for(BOB), 1);
}

#[tokio::test]
async fn a_slow_delivery_delays_no_other_email() {
    let mut relay = MailServer::open(vec![
        Treatment::Plays(|_| Silence),
        Treatment::Plays(willing),
    ])
    .await;
    let app = start_app(&relay, FAR).await;
    let worker = tokio::spawn(app.inner.queue.clone().run());
    request_link(&app, ADA).await.ok();
    relay.connected.recv().await.unwrap();

    for number in 0..20 {
        request_link(&app, &format!("{number}@example.org"))
            .await
            .ok();
    }
    request_link(&app, BOB).await.ok();

    let received = relay.next_email().await;
    assert!(
        received.contains(&format!("RCPT TO:<{BOB}>")),
        "{received:?}"
    );
    worker.abort();
    assert!(worker.await.unwrap_err().is_cancelled());
}

#[tokio::test]
async fn a_code_that_was_not_sent_is_reported_at_once_and_not_sent_later() {
    for refusing in [greylists as Script, no_such_person, banner_421] {
        let mut relay =
            MailServer::open(vec![Treatment::Plays(refusing), Treatment::Plays(willing)]).await;
        let app = start_app(&relay, FAR).await;
        let ada = app.stepped_up(ADA).await;

        let refused = ada.send(Method::POST, "/api/auth/step_up/email", &[], None);
        assert_eq!(
            refused.await.problem(503),
            "The email could not be sent. Please try again in a moment."
        );
        assert_eq!(app.inner.queue.deliver_due().await.unwrap(), None);
        assert_eq!(relay.connections(), 1);

        let sent = ada.send(Method::POST, "/api/auth/step_up/email", &[], None);
        sent.await.ok();
        assert_eq!(relay.connections(), 1, "and not for the first code");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_mail_server_blocks_neither_requests_nor_the_shutdown() {
    let mut relay = MailServer::open(vec![Treatment::Plays(|_| Silence)]).await;
    let home = Home::new();
    home.ok(&["guardian", "add", ADA]);
    let smtp = format!("smtp://127.0.0.1:{}", relay.port);
    let server = home.serve(&["--smtp", &smtp, "--mail-from", "hello@porchlight.example"]);
    let body = json!({"email": ADA}).to_string();

    let first = server.request("POST", "/api/auth/link", "", Some(&body));
    relay.connected.recv().await.unwrap();
    let second = server.request("POST", "/api/auth/link", "", Some(&body));

    assert_eq!(
        [first, second].map(|response| response.unwrap().0),
        [202, 202]
    );
    assert_eq!(server.terminate(), Some(0));
    assert!(!folder_contains(&home.data(), "lnk_"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_scheduled_backup_is_mailed_once_and_shown_by_check() {
    let mut relay = MailServer::open(vec![
        Treatment::Plays(banner_421),
        Treatment::Plays(willing),
    ])
    .await;
    let home = Home::new();
    home.ok(&["guardian", "add", ADA]);
    let folder = home.path().join("backups");
    std::fs::write(&folder, "a file, not a folder").unwrap();
    let smtp = format!("smtp://127.0.0.1:{}", relay.port);
    let of_backups = [
        "--backup-dir",
        "backups",
        "--backup-dir-create",
        "--backup-every",
        "1s",
    ];
    let of_mail = [
        "--smtp",
        &smtp,
        "--mail-from",
        "hello@porchlight.example",
        "--alert-mail",
        "admin@example.org",
    ];
    let server = home.serve(&[&of_backups[..], &of_mail].concat());

    let received = relay.next_email().await.join("\n");

    for line in [
        "MAIL FROM:<hello@porchlight.example>",
        "RCPT TO:<admin@example.org>",
        "Subject: Porchlight: the backup failed",
        "The scheduled backup of Porchlight failed:",
        "backups cannot be used: ",
    ] {
        assert!(received.contains(line), "{line}: {received}");
    }
    assert_eq!(relay.connections(), 2, "the first accepted no email");
    let check = || home.ok(&[&["check"], &of_backups[..], &of_mail].concat());
    let shown = check();
    assert!(
        shown.contains("Warning: Scheduled backups have failed since 20"),
        "{shown}"
    );

    std::fs::remove_file(&folder).unwrap();
    let mut tries = 0;
    while check().contains("Warning: Scheduled backups have failed") {
        tries += 1;
        assert!(tries < 1_000, "it recovers");
    }
    assert_eq!(relay.emails_for("admin@example.org"), 1, "it is sent once");
    assert_eq!(server.terminate(), Some(0));
}

/// An identity provider on this machine whose clock is at the beginning of the year.
fn provider_with_a_wrong_clock() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let metadata = serde_json::json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["EdDSA"],
    });
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = String::new();
            let mut lines = std::io::BufReader::new(stream.try_clone().unwrap());
            while !head.ends_with("\r\n\r\n") {
                if std::io::BufRead::read_line(&mut lines, &mut head).unwrap_or(0) == 0 {
                    break;
                }
            }
            let body = if head.starts_with("GET /keys") {
                json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "A".repeat(43)}]}).to_string()
            } else {
                metadata.to_string()
            };
            let _ = std::io::Write::write_all(
                &mut stream,
                format!(
                    "HTTP/1.1 200 OK\r\ndate: Thu, 01 Jan 2026 00:00:00 GMT\r\ncontent-type: application/json\r\n\
                     content-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                )
                .as_bytes(),
            );
        }
    });
    issuer
}

#[tokio::test(flavor = "multi_thread")]
async fn check_online_reports_the_state_of_the_mail_server_and_the_provider() {
    let mut relay = MailServer::open(vec![Treatment::Plays(willing)]).await;
    let home = Home::new();
    let smtp = format!("smtp://127.0.0.1:{}", relay.port);
    let of_mail = ["--smtp", &smtp, "--mail-from", "hello@porchlight.example"];
    let issuer = provider_with_a_wrong_clock();
    let of_provider = ["--oidc-issuer", &issuer, "--oidc-client-id", "porchlight"];
    let check = |more: &[&'static str]| [&["check"], more, &of_mail, &of_provider].concat();

    home.ok(&check(&[]));
    assert_eq!(relay.connections(), 0, "nobody is asked without --online");
    let online = home.ok(&check(&["--online"]));
    let heard = relay.received().join("\n");

    assert!(
        online.contains("mail server  accepts the sender; no certificate"),
        "{online}"
    );
    assert!(
        online.contains("provider now says who it is and has keys"),
        "{online}"
    );
    assert!(
        online.contains("Warning: The provider's clock and this machine's are "),
        "{online}"
    );
    assert!(
        heard.contains("MAIL FROM:<hello@porchlight.example>"),
        "{heard}"
    );
    assert!(!heard.contains("RCPT"), "{heard}");

    let refused = home.refused(&[
        "check",
        "--online",
        "--smtp",
        "smtp://127.0.0.1:1",
        "--mail-from",
        "hello@porchlight.example",
        "--oidc-issuer",
        "http://127.0.0.1:1",
        "--oidc-client-id",
        "porchlight",
    ]);
    assert!(
        refused.contains("Nothing listens at the mail server's address"),
        "{refused}"
    );
    assert!(
        refused.contains("The provider cannot be reached"),
        "{refused}"
    );
}
