//! Under TLS, from the first byte or later, and with certificates good and bad.

use super::{
    fake_server::{Answer::UpgradeToTls, play, self_signed},
    *,
};

/// Settings for a fake server as if it were on another machine.
fn protected(server: &FakeServer, protection: Protection) -> SmtpSettings {
    let mut settings = SmtpSettings::parse(&format!("smtps://127.0.0.1:{}", server.port)).unwrap();
    settings.protection = protection;
    settings
}

#[tokio::test]
async fn without_starttls_nothing_but_the_greeting_is_said() {
    let server = FakeServer::start(|c| {
        if c == "STARTTLS" {
            Say("502 unknown\r\n")
        } else {
            willing(c)
        }
    })
    .await;
    let settings = protected(&server, Protection::StartTls);
    let (_, ca_file) = self_signed(&["127.0.0.1"]);
    let mailer = mailer_for(settings.with_ca_file(ca_file.path()));

    let result = mailer.hand_over(&letter(), || ()).await;

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
    let (acceptor, ca_file) = self_signed(&["127.0.0.1"]);
    let server = FakeServer::listen(async move |stream, heard| {
        let upgrade = |c: &str| {
            if c == "STARTTLS" {
                UpgradeToTls
            } else {
                willing(c)
            }
        };
        let stream = play(stream, upgrade, &heard).await.unwrap();
        let stream = acceptor.accept(stream).await.unwrap();
        // No second banner: the first "command" is already under TLS.
        play(
            stream,
            |c| if c.is_empty() { Say("") } else { willing(c) },
            &heard,
        )
        .await;
    })
    .await;
    let settings = protected(&server, Protection::StartTls).with_ca_file(ca_file.path());

    mailer_for(settings)
        .hand_over(&letter(), || ())
        .await
        .unwrap();

    let lines = server.lines().await;
    assert_eq!(
        lines[1..4].to_vec(),
        [
            "STARTTLS",
            "EHLO [127.0.0.1]",
            "MAIL FROM:<hello@porchlight.example>"
        ]
    );
}

#[tokio::test]
async fn implicit_tls_needs_a_certificate_that_is_trusted() {
    for trusted in [true, false] {
        let (acceptor, ca_file) = self_signed(&["127.0.0.1"]);
        let (_, other_file) = self_signed(&["127.0.0.1"]);
        let server = FakeServer::listen(async move |stream, heard| {
            if let Ok(stream) = acceptor.accept(stream).await {
                play(stream, willing, &heard).await;
            }
        })
        .await;
        let file = if trusted {
            ca_file.path()
        } else {
            other_file.path()
        };
        let settings = protected(&server, Protection::Tls).with_ca_file(file);

        let result = mailer_for(settings).hand_over(&letter(), || ()).await;

        if trusted {
            assert_eq!(result, Ok(HandedOver::Accepted));
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
