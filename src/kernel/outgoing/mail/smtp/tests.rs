//! Every way in which a mail server may respond to an e-mail, played by a scripted server on loopback.

pub mod fake_server;
mod headers;
pub mod stopped_clock;
mod tls;

use tokio::net::TcpListener;

use super::*;
use fake_server::{
    Answer::{HangUp, Say, Silence, Trickle},
    FakeServer, Script, willing,
};
use stopped_clock::StoppedClock;

fn mailer(url: &str) -> SmtpMailer {
    mailer_for(SmtpSettings::parse(url).unwrap())
}

fn mailer_of(server: &FakeServer) -> SmtpMailer {
    mailer(&format!("smtp://127.0.0.1:{}", server.port))
}

fn mailer_for(settings: SmtpSettings) -> SmtpMailer {
    let mail_ids = MailIds {
        sent_at: 1_767_225_600,
        serial: 0xfeed,
    };
    SmtpMailer::new(
        settings.with_hello_name("porch.example"),
        "hello@porchlight.example".parse().unwrap(),
        Arc::new(move || mail_ids),
    )
    .unwrap()
}

fn mail() -> Email {
    Email {
        to: "Anna@example.org".parse().unwrap(),
        subject: "Your sign-in link für heute\r\nBcc: eve@example.org".to_owned(),
        text: "Hello,\n.\n\nhttps://porchlight.example/finish-sign-in#token=lnk_1\n".to_owned(),
        html: "<p>Hello</p>".to_owned(),
        is_urgent: false,
        message_id: None,
        unsubscribe: None,
    }
}

async fn outcome(script: Script) -> Result<HandedOver, MailError> {
    let server = FakeServer::start(script).await;
    mailer_of(&server).hand_over(&mail(), || ()).await
}

fn temporary(sentence: &str) -> Result<HandedOver, MailError> {
    Err(MailError::Temporary(sentence.to_owned()))
}

fn permanent(sentence: &str) -> Result<HandedOver, MailError> {
    Err(MailError::Permanent(sentence.to_owned()))
}

#[tokio::test]
async fn an_accepted_email_has_both_parts_and_a_header_without_the_hosts_name() {
    let server = FakeServer::start(willing).await;

    mailer_of(&server).hand_over(&mail(), || ()).await.unwrap();

    let lines = server.lines().await;
    assert_eq!(lines[0], "EHLO porch.example");
    assert_eq!(lines[1], "MAIL FROM:<hello@porchlight.example>");
    assert_eq!(lines[2], "RCPT TO:<Anna@example.org>");
    for header in [
        "From: \"Porchlight\" <hello@porchlight.example>",
        "To: <Anna@example.org>",
        "Date: Thu, 1 Jan 2026 00:00:00 +0000",
        "Message-ID: <0000000000000000000000000000feed@porchlight.example>",
        "Auto-Submitted: auto-generated",
    ] {
        assert!(
            lines.iter().any(|line| line == header),
            "{header} in {lines:#?}"
        );
    }
    let all = lines.join("\n");
    assert!(all.contains("multipart/alternative"), "{all}");
    assert!(
        all.contains("text/plain") && all.contains("text/html"),
        "{all}"
    );
    assert!(!all.contains("\nBcc:"), "the subject added a header: {all}");
    assert!(
        all.contains("\n..\n"),
        "a lone dot would end the email: {all}"
    );
}

#[tokio::test]
async fn user_and_password_are_given_when_configured() {
    let server = FakeServer::start(willing).await;
    let mailer = mailer(&format!("smtp://anna:s%40cret@127.0.0.1:{}", server.port));

    mailer.hand_over(&mail(), || ()).await.unwrap();

    // base64 of "\0anna\0s@cret"
    assert_eq!(server.lines().await[1], "AUTH PLAIN AGFubmEAc0BjcmV0");
}

#[tokio::test]
async fn a_port_where_nobody_listens_is_temporary() {
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap().port()
    };

    let result = mailer(&format!("smtp://127.0.0.1:{port}"))
        .hand_over(&mail(), || ())
        .await;

    assert_eq!(
        result,
        temporary("Nothing listens at the mail server's address and port.")
    );
}

#[tokio::test]
async fn a_silent_or_endlessly_slow_server_is_temporary() {
    let scripts: [Script; 3] = [
        |_| Silence,
        |_| Trickle,
        |command| {
            if command == "DATA" {
                Silence
            } else {
                willing(command)
            }
        },
    ];
    for script in scripts {
        let server = FakeServer::start(script).await;
        let mut mailer = mailer_of(&server);
        mailer.step_deadline = Duration::from_millis(100);

        let result = mailer.hand_over(&mail(), || ()).await;

        assert_eq!(result, temporary("The mail server did not answer in time."));
    }
}

#[tokio::test]
async fn the_whole_email_has_a_deadline_too() {
    let server = FakeServer::start(|_| Silence).await;
    let mut mailer = mailer_of(&server);
    mailer.email_deadline = Duration::from_millis(50);

    let result = mailer.hand_over(&mail(), || ()).await;

    assert_eq!(
        result,
        temporary("The mail server was too slow to take the email.")
    );
}

#[tokio::test]
async fn a_refusal_is_judged_by_its_code_and_by_the_step() {
    let cases: [(Script, Result<HandedOver, MailError>); 9] = [
        (
            |_| Say("554 5.7.1 no service for anna@example.org\r\n"),
            temporary("The mail server turned us away (SMTP code 554)."),
        ),
        (
            |_| Say("421 4.3.2 busy\r\n"),
            temporary("The mail server turned us away (SMTP code 421)."),
        ),
        (
            |c| {
                if c.starts_with("MAIL") {
                    Say("550 not you\r\n")
                } else {
                    willing(c)
                }
            },
            temporary("The mail server refused the sender's address (SMTP code 550)."),
        ),
        (
            |c| {
                if c.starts_with("RCPT") {
                    Say("450 4.2.0 greylisted\r\n")
                } else {
                    willing(c)
                }
            },
            temporary("The mail server refused the recipient's address (SMTP code 450)."),
        ),
        (
            |c| {
                if c.starts_with("RCPT") {
                    Say("421 closing\r\n")
                } else {
                    willing(c)
                }
            },
            temporary("The mail server refused the recipient's address (SMTP code 421)."),
        ),
        (
            |c| {
                if c.starts_with("RCPT") {
                    Say("530 sign in first\r\n")
                } else {
                    willing(c)
                }
            },
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
            |c| {
                if c == "." {
                    Say("451 later\r\n")
                } else {
                    willing(c)
                }
            },
            temporary("The mail server refused the email (SMTP code 451)."),
        ),
        (
            |c| {
                if c == "." {
                    Say("554 spam\r\n")
                } else {
                    willing(c)
                }
            },
            permanent("The mail server refused the email (SMTP code 554)."),
        ),
    ];
    for (script, expected) in cases {
        assert_eq!(outcome(script).await, expected);
    }
}

#[tokio::test]
async fn a_refused_password_is_temporary_because_the_email_is_not_to_blame() {
    let server = FakeServer::start(|c| {
        if c.starts_with("AUTH") {
            Say("535 5.7.8 anna? never\r\n")
        } else {
            willing(c)
        }
    })
    .await;

    let result = mailer(&format!("smtp://anna:wrong@127.0.0.1:{}", server.port))
        .hand_over(&mail(), || ())
        .await;

    assert_eq!(
        result,
        temporary("The mail server refused the user name and password (SMTP code 535).")
    );
}

#[tokio::test(start_paused = true)]
async fn the_answer_to_the_whole_email_may_take_minutes() {
    for slow in [Duration::from_secs(12), Duration::from_secs(590)] {
        let clock = StoppedClock::stop();
        let mut server = FakeServer::filtering(slow).await;
        let mut mailer = mailer_of(&server);
        mailer.step_deadline = Duration::from_secs(10);
        let (tell, sent) = tokio::sync::oneshot::channel();
        let handing = tokio::spawn(async move {
            let tell = || tell.send(()).unwrap();
            mailer.hand_over(&mail(), tell).await
        });

        sent.await.unwrap();
        server.hear(".").await;
        tokio::time::advance(slow).await;

        assert_eq!(handing.await.unwrap(), Ok(HandedOver::Accepted));
        drop(clock);
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_the_whole_email_may_have_taken_it() {
    let never: [Script; 3] = [
        |c| if c == "." { Silence } else { willing(c) },
        |c| if c == "." { HangUp } else { willing(c) },
        |c| {
            if c == "." {
                Say("HTTP/1.1 400\r\n\r\n")
            } else {
                willing(c)
            }
        },
    ];
    for script in never {
        assert_eq!(outcome(script).await, Ok(HandedOver::Unknown));
    }
}

#[tokio::test]
async fn an_email_counts_as_taken_although_the_goodbye_is_never_answered() {
    let result = outcome(|c| if c == "QUIT" { Silence } else { willing(c) }).await;

    assert_eq!(result, Ok(HandedOver::Accepted));
}

#[tokio::test]
async fn a_server_that_does_not_accept_the_name_in_ehlo_is_told_apart() {
    let not_full: Script = |command| match command {
        "EHLO porch.example" => Say("504 5.5.2 need fully-qualified hostname\r\n"),
        command => willing(command),
    };
    let hangs_up: Script = |command| match command {
        "EHLO porch.example" => Say("421 4.3.0 go away\r\n"),
        command => willing(command),
    };

    for (script, code) in [(not_full, 504), (hangs_up, 421)] {
        let sentence = format!(
            "The mail server turned us away when Porchlight gave porch.example as this machine's name (SMTP code {code}). \
             --smtp-hello-name says another, such as its full name."
        );
        assert_eq!(outcome(script).await, temporary(&sentence));
    }
}

#[test]
fn the_name_in_ehlo_is_the_hosts_unless_another_is_said() {
    let settings = SmtpSettings::parse("smtps://mail.example.org").unwrap();
    let own = rustix::system::uname();
    let own = own.nodename().to_string_lossy().into_owned();

    assert_eq!(settings.hello_name(), own);
    assert_eq!(
        settings.with_hello_name("a.example").hello_name(),
        "a.example"
    );
    for valid in ["nas", "nas.example.org", "[192.168.1.2]", "[IPv6:fd77::2]"] {
        assert_eq!(SmtpSettings::read_hello_name(valid).as_deref(), Ok(valid));
    }
    for invalid in [
        "",
        "nas.",
        "na s",
        "nas\r\nRSET",
        "192.168.1.2]",
        "[nas]",
        "n_s",
    ] {
        assert!(SmtpSettings::read_hello_name(invalid).is_err(), "{invalid}");
    }
}

#[tokio::test]
async fn a_probe_signs_in_and_names_the_sender_and_hands_nothing_over() {
    let server = FakeServer::start(willing).await;
    let mailer = mailer(&format!("smtp://anna:s%40cret@127.0.0.1:{}", server.port));

    let seen = mailer.probe().await.unwrap();

    assert_eq!((seen.signed_in, seen.certificate_ends), (true, None));
    let lines = server.lines().await;
    assert!(lines.contains(&"MAIL FROM:<hello@porchlight.example>".to_owned()));
    assert!(
        !lines
            .iter()
            .any(|line| line.starts_with("RCPT") || line == "DATA"),
        "{lines:?}"
    );
}
