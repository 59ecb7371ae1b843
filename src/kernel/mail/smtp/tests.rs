//! Every way in which a mail server treats a letter, played by a scripted one on loopback.

use std::sync::Mutex;

use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};
use tokio_rustls::TlsAcceptor;

use super::*;

/// What the scripted server does when it hears a command. The banner is asked for as `""`, the
/// answer to the letter itself as `"."`.
#[derive(Clone, Copy)]
enum Answer {
    Say(&'static str),
    Silence,
    HangUp,
    /// Bytes for ever, none of which ends the reply.
    Trickle,
    UpgradeToTls,
}
use Answer::{HangUp, Say, Silence, Trickle, UpgradeToTls};

type Script = fn(&str) -> Answer;

/// The answers of a server that accepts everything.
fn willing(command: &str) -> Answer {
    Say(match command.split(' ').next() {
        Some("") => "220 mail.test ready\r\n",
        Some("EHLO") => "250-mail.test\r\n250 AUTH PLAIN\r\n",
        Some("AUTH") => "235 2.7.0 welcome\r\n",
        Some("DATA") => "354 go on\r\n",
        Some("QUIT") => "221 bye\r\n",
        _ => "250 2.0.0 fine\r\n",
    })
}

/// Plays the script and reports the lines that it heard.
async fn play<S>(stream: S, script: Script, heard: &mpsc::UnboundedSender<String>) -> Option<S>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut stream = BufReader::new(stream);
    let mut command = String::new();
    let mut in_letter = false;
    loop {
        match script(&command) {
            _ if in_letter && command != "." => {}
            Say(reply) => stream.write_all(reply.as_bytes()).await.ok()?,
            Silence => std::future::pending().await,
            HangUp => return None,
            Trickle => loop {
                stream.write_all(b"2").await.ok()?;
                tokio::time::sleep(Duration::from_millis(5)).await;
            },
            UpgradeToTls => {
                stream.write_all(b"220 go on\r\n").await.ok()?;
                return Some(stream.into_inner());
            }
        }
        in_letter = (in_letter || command == "DATA") && command != ".";
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        assert!(line.ends_with("\r\n"), "a bare line feed: {line:?}");
        command = line.trim_end().to_owned();
        let _ = heard.send(command.clone());
    }
}

struct FakeServer {
    port: u16,
    heard: mpsc::UnboundedReceiver<String>,
}

impl FakeServer {
    async fn start(script: Script) -> Self {
        Self::listen(async move |stream: TcpStream, heard| {
            play(stream, script, &heard).await;
        })
        .await
    }

    async fn listen<F, T>(serve: F) -> Self
    where
        F: FnOnce(TcpStream, mpsc::UnboundedSender<String>) -> T + Send + 'static,
        T: Future<Output = ()> + Send,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (tell, heard) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            serve(stream, tell).await;
        });
        Self { port, heard }
    }

    fn mailer(&self) -> SmtpMailer {
        mailer(&format!("smtp://127.0.0.1:{}", self.port))
    }

    /// Everything the server heard until the client left.
    async fn lines(mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.heard.recv().await {
            lines.push(line);
        }
        lines
    }
}

fn mailer(url: &str) -> SmtpMailer {
    mailer_for(SmtpSettings::parse(url).unwrap())
}

fn mailer_for(settings: SmtpSettings) -> SmtpMailer {
    let postmark = Postmark {
        sent_at: 1_767_225_600,
        serial: 0xfeed,
    };
    SmtpMailer::new(
        settings,
        "hello@porchlight.example".parse().unwrap(),
        Arc::new(move || postmark),
    )
    .unwrap()
}

fn letter() -> Letter {
    Letter {
        to: "Anna@example.org".parse().unwrap(),
        subject: "Your sign-in link für heute\r\nBcc: eve@example.org".to_owned(),
        text: "Hello,\n.\n\nhttps://porchlight.example/finish-sign-in#token=lnk_1\n".to_owned(),
        html: "<p>Hello</p>".to_owned(),
    }
}

async fn outcome(script: Script) -> Result<(), MailError> {
    FakeServer::start(script).await.mailer().send(&letter()).await
}

fn temporary(sentence: &str) -> Result<(), MailError> {
    Err(MailError::Temporary(sentence.to_owned()))
}

fn permanent(sentence: &str) -> Result<(), MailError> {
    Err(MailError::Permanent(sentence.to_owned()))
}

#[tokio::test]
async fn an_accepted_letter_has_both_parts_and_a_header_without_the_hosts_name() {
    let server = FakeServer::start(willing).await;

    server.mailer().send(&letter()).await.unwrap();

    let lines = server.lines().await;
    assert_eq!(lines[0], "EHLO [127.0.0.1]");
    assert_eq!(lines[1], "MAIL FROM:<hello@porchlight.example>");
    assert_eq!(lines[2], "RCPT TO:<Anna@example.org>");
    for header in [
        "From: \"Porchlight\" <hello@porchlight.example>",
        "To: <Anna@example.org>",
        "Date: Thu, 1 Jan 2026 00:00:00 +0000",
        "Message-ID: <0000000000000000000000000000feed@porchlight.example>",
        "Auto-Submitted: auto-generated",
    ] {
        assert!(lines.iter().any(|line| line == header), "{header} in {lines:#?}");
    }
    let all = lines.join("\n");
    assert!(all.contains("multipart/alternative"), "{all}");
    assert!(all.contains("text/plain") && all.contains("text/html"), "{all}");
    assert!(!all.contains("\nBcc:"), "the subject added a header: {all}");
    assert!(all.contains("\n..\n"), "a lone dot would end the letter: {all}");
}

#[tokio::test]
async fn user_and_password_are_given_when_configured() {
    let server = FakeServer::start(willing).await;
    let mailer = mailer(&format!("smtp://anna:s%40cret@127.0.0.1:{}", server.port));

    mailer.send(&letter()).await.unwrap();

    // base64 of "\0anna\0s@cret"
    assert_eq!(server.lines().await[1], "AUTH PLAIN AGFubmEAc0BjcmV0");
}

#[tokio::test]
async fn a_port_where_nobody_listens_is_temporary() {
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap().port()
    };

    let result = mailer(&format!("smtp://127.0.0.1:{port}")).send(&letter()).await;

    assert_eq!(
        result,
        temporary("Nothing listens at the mail server's address and port.")
    );
}

#[tokio::test]
async fn a_silent_or_endlessly_slow_server_is_temporary() {
    let scripts: [Script; 4] = [
        |_| Silence,
        |_| Trickle,
        |command| if command == "DATA" { Silence } else { willing(command) },
        |command| if command == "." { Trickle } else { willing(command) },
    ];
    for script in scripts {
        let server = FakeServer::start(script).await;
        let mut mailer = server.mailer();
        mailer.step_deadline = Duration::from_millis(100);

        let result = mailer.send(&letter()).await;

        assert_eq!(result, temporary("The mail server did not answer in time."));
    }
}

#[tokio::test]
async fn the_whole_letter_has_a_deadline_too() {
    let server = FakeServer::start(|_| Silence).await;
    let mut mailer = server.mailer();
    mailer.letter_deadline = Duration::from_millis(50);

    let result = mailer.send(&letter()).await;

    assert_eq!(
        result,
        temporary("The mail server was too slow to take the letter.")
    );
}

#[tokio::test]
async fn a_refusal_is_judged_by_its_code_and_by_the_step() {
    let cases: [(Script, Result<(), MailError>); 9] = [
        (
            |_| Say("554 5.7.1 no service for anna@example.org\r\n"),
            temporary("The mail server turned us away (SMTP code 554)."),
        ),
        (
            |_| Say("421 4.3.2 busy\r\n"),
            temporary("The mail server turned us away (SMTP code 421)."),
        ),
        (
            |c| if c.starts_with("MAIL") { Say("550 not you\r\n") } else { willing(c) },
            temporary("The mail server refused the sender's address (SMTP code 550)."),
        ),
        (
            |c| if c.starts_with("RCPT") { Say("450 4.2.0 greylisted\r\n") } else { willing(c) },
            temporary("The mail server refused the recipient's address (SMTP code 450)."),
        ),
        (
            |c| if c.starts_with("RCPT") { Say("421 closing\r\n") } else { willing(c) },
            temporary("The mail server refused the recipient's address (SMTP code 421)."),
        ),
        (
            |c| if c.starts_with("RCPT") { Say("530 sign in first\r\n") } else { willing(c) },
            temporary("The mail server refused the recipient's address (SMTP code 530)."),
        ),
        (
            |c| {
                if c.starts_with("RCPT") {
                    Say("550-5.1.1 no such\r\n550 5.1.1 anna@example.org\r\n")
                } else {
                    willing(c)
                }
            },
            permanent("The mail server refused the recipient's address (SMTP code 550)."),
        ),
        (
            |c| if c == "." { Say("451 later\r\n") } else { willing(c) },
            temporary("The mail server refused the letter (SMTP code 451)."),
        ),
        (
            |c| if c == "." { Say("554 spam\r\n") } else { willing(c) },
            permanent("The mail server refused the letter (SMTP code 554)."),
        ),
    ];
    for (script, expected) in cases {
        assert_eq!(outcome(script).await, expected);
    }
}

#[tokio::test]
async fn a_refused_password_is_temporary_because_the_letter_is_not_to_blame() {
    let server = FakeServer::start(|c| {
        if c.starts_with("AUTH") { Say("535 5.7.8 anna? never\r\n") } else { willing(c) }
    })
    .await;

    let result = mailer(&format!("smtp://anna:wrong@127.0.0.1:{}", server.port))
        .send(&letter())
        .await;

    assert_eq!(
        result,
        temporary("The mail server refused the user name and password (SMTP code 535).")
    );
}

#[tokio::test]
async fn a_connection_dropped_after_the_letter_is_temporary() {
    let result = outcome(|c| if c == "." { HangUp } else { willing(c) }).await;

    assert!(matches!(result, Err(MailError::Temporary(_))), "{result:?}");
}

#[tokio::test]
async fn a_letter_counts_as_taken_although_the_goodbye_is_never_answered() {
    let result = outcome(|c| if c == "QUIT" { Silence } else { willing(c) }).await;

    assert_eq!(result, Ok(()));
}

/// A certificate for 127.0.0.1 that signed itself: what the server presents, and the file that
/// makes a mailer trust it.
fn self_signed() -> (TlsAcceptor, tempfile::NamedTempFile) {
    let own = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), own.cert.pem()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![own.cert.der().clone()],
            own.signing_key.serialize_der().try_into().unwrap(),
        )
        .unwrap();
    (TlsAcceptor::from(Arc::new(config)), file)
}

/// Settings for a fake server as if it were on another machine.
fn protected(server: &FakeServer, protection: Protection) -> SmtpSettings {
    let mut settings = SmtpSettings::parse(&format!("smtps://127.0.0.1:{}", server.port)).unwrap();
    settings.protection = protection;
    settings
}

#[tokio::test]
async fn without_starttls_nothing_but_the_greeting_is_said() {
    let server = FakeServer::start(|c| {
        if c == "STARTTLS" { Say("502 unknown\r\n") } else { willing(c) }
    })
    .await;
    let settings = protected(&server, Protection::StartTls);
    let (_, ca_file) = self_signed();
    let mailer = mailer_for(settings.with_ca_file(ca_file.path()));

    let result = mailer.send(&letter()).await;

    assert_eq!(
        result,
        temporary(
            "The mail server does not offer STARTTLS, without which no letter is sent \
             (SMTP code 502)."
        )
    );
    assert_eq!(server.lines().await, ["EHLO [127.0.0.1]", "STARTTLS"]);
}

#[tokio::test]
async fn starttls_protects_the_letter_when_the_certificate_is_trusted() {
    let (acceptor, ca_file) = self_signed();
    let server = FakeServer::listen(async move |stream, heard| {
        let upgrade = |c: &str| if c == "STARTTLS" { UpgradeToTls } else { willing(c) };
        let stream = play(stream, upgrade, &heard).await.unwrap();
        let stream = acceptor.accept(stream).await.unwrap();
        // No second banner: the first "command" is already under TLS.
        play(stream, |c| if c.is_empty() { Say("") } else { willing(c) }, &heard).await;
    })
    .await;
    let settings = protected(&server, Protection::StartTls).with_ca_file(ca_file.path());

    mailer_for(settings).send(&letter()).await.unwrap();

    let lines = server.lines().await;
    assert_eq!(lines[1..4].to_vec(), [
        "STARTTLS",
        "EHLO [127.0.0.1]",
        "MAIL FROM:<hello@porchlight.example>"
    ]);
}

#[tokio::test]
async fn implicit_tls_needs_a_certificate_that_is_trusted() {
    for trusted in [true, false] {
        let (acceptor, ca_file) = self_signed();
        let (_, other_file) = self_signed();
        let server = FakeServer::listen(async move |stream, heard| {
            if let Ok(stream) = acceptor.accept(stream).await {
                play(stream, willing, &heard).await;
            }
        })
        .await;
        let file = if trusted { ca_file.path() } else { other_file.path() };
        let settings = protected(&server, Protection::Tls).with_ca_file(file);

        let result = mailer_for(settings).send(&letter()).await;

        if trusted {
            assert_eq!(result, Ok(()));
        } else {
            assert!(matches!(result, Err(MailError::Temporary(_))), "{result:?}");
            assert_eq!(server.lines().await, [""; 0]);
        }
    }
}

#[test]
fn a_missing_root_certificate_is_named() {
    let settings = SmtpSettings::parse("smtps://mail.example.org")
        .unwrap()
        .with_ca_file("/nowhere/ca.pem");

    let error = SmtpMailer::new(
        settings,
        "hello@porchlight.example".parse().unwrap(),
        Arc::new(|| unreachable!()),
    )
    .unwrap_err();

    assert!(error.to_string().contains("/nowhere/ca.pem"), "{error}");
}
