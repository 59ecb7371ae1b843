//! Implicit TLS and STARTTLS, with valid and invalid certificates.

use tokio_rustls::TlsAcceptor;

use super::{
    fake_server::{Answer::UpgradeToTls, certified, play, self_signed},
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

    let result = mailer.hand_over(&mail(), || ()).await;

    assert_eq!(
        result,
        temporary(
            "The mail server does not offer STARTTLS, without which no email is sent \
             (SMTP code 502)."
        )
    );
    assert_eq!(server.lines().await, ["EHLO porch.example", "STARTTLS"]);
}

#[tokio::test]
async fn starttls_protects_the_email_when_the_certificate_is_trusted() {
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
        .hand_over(&mail(), || ())
        .await
        .unwrap();

    let lines = server.lines().await;
    assert_eq!(
        lines[1..4].to_vec(),
        [
            "STARTTLS",
            "EHLO porch.example",
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

        let result = mailer_for(settings).hand_over(&mail(), || ()).await;

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

/// Sends to a server with this certificate, by a mailer that trusts the file.
async fn sent_to(
    acceptor: TlsAcceptor,
    ca_file: &std::path::Path,
) -> Result<HandedOver, MailError> {
    let server = FakeServer::listen(async move |stream, heard| {
        if let Ok(stream) = acceptor.accept(stream).await {
            play(stream, willing, &heard).await;
        }
    })
    .await;
    let settings = protected(&server, Protection::Tls).with_ca_file(ca_file);
    mailer_for(settings).hand_over(&mail(), || ()).await
}

/// A certificate as `openssl req -x509` creates it.
fn authority(names: &[&str]) -> rcgen::CertificateParams {
    let names = names
        .iter()
        .map(|name| (*name).to_owned())
        .collect::<Vec<_>>();
    let mut made = rcgen::CertificateParams::new(names).unwrap();
    made.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    made
}

#[tokio::test]
async fn a_certificate_that_its_owner_made_is_trusted_itself_when_it_may_sign_others_too() {
    let (acceptor, file) = certified(authority(&["127.0.0.1"]));

    assert_eq!(
        sent_to(acceptor, file.path()).await,
        Ok(HandedOver::Accepted)
    );
}

#[tokio::test]
async fn what_is_wrong_with_a_certificate_is_told_apart() {
    let authority_of = |name| authority(&[name]);
    let mut expired = authority_of("127.0.0.1");
    expired.not_after = rcgen::date_time_ymd(2001, 1, 1);
    expired.not_before = rcgen::date_time_ymd(2000, 1, 1);
    let mut early = authority_of("127.0.0.1");
    early.not_before = rcgen::date_time_ymd(2090, 1, 1);
    early.not_after = rcgen::date_time_ymd(2091, 1, 1);
    let nameless = authority(&[]);
    let mut stranger = rcgen::CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    stranger
        .distinguished_name
        .push(rcgen::DnType::CommonName, "stranger");
    let another = rcgen::CertificateParams::new(vec!["mail.example.org".to_owned()]).unwrap();
    let (_, other_file) = certified(authority_of("127.0.0.1"));

    for (made, its_own_file, said) in [
        (expired, true, "certificate has expired."),
        (
            early,
            true,
            "is not valid yet; is the clock of this machine right?",
        ),
        (
            authority_of("mail.example.org"),
            true,
            "is for another name.",
        ),
        (another, true, "is for another name."),
        (nameless, true, "names no host"),
        (authority_of("127.0.0.1"), false, "its owner made (CA:TRUE)"),
        (
            rcgen::CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap(),
            false,
            "by another key than the one that this machine trusts under that name; was it made anew?",
        ),
        (stranger, false, "issued by nobody this machine trusts."),
    ] {
        let (acceptor, own_file) = certified(made);
        let file = if its_own_file { &own_file } else { &other_file };

        let refused = sent_to(acceptor, file.path()).await.unwrap_err();

        assert!(refused.to_string().contains(said), "{said}: {refused}");
    }
}

#[tokio::test]
async fn a_server_without_tls_at_that_port_is_told_apart() {
    let server = FakeServer::start(willing).await;
    let settings = protected(&server, Protection::Tls);

    let refused = mailer_for(settings)
        .hand_over(&mail(), || ())
        .await
        .unwrap_err();

    assert_eq!(
        refused.to_string(),
        "The mail server's port does not speak TLS from the first byte."
    );
}

#[tokio::test]
async fn a_probe_tells_until_when_the_certificate_is_valid() {
    let mut made = authority(&["127.0.0.1"]);
    made.not_after = rcgen::date_time_ymd(2077, 3, 2);
    let (acceptor, file) = certified(made);
    let server = FakeServer::listen(async move |stream, heard| {
        let stream = acceptor.accept(stream).await.unwrap();
        play(stream, willing, &heard).await;
    })
    .await;
    let settings = protected(&server, Protection::Tls).with_ca_file(file.path());

    let seen = mailer_for(settings).probe().await.unwrap();

    let ends = seen.certificate_ends.map(|ends| ends.to_string());
    assert_eq!(ends.as_deref(), Some("2077-03-02T00:00:00Z"));
}

#[test]
fn a_file_without_a_certificate_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "no certificate").unwrap();
    let settings = SmtpSettings::parse("smtps://mail.example.org").unwrap();

    let error = SmtpMailer::new(
        settings.with_ca_file(file.path()),
        "hello@porchlight.example".parse().unwrap(),
        Arc::new(|| unreachable!()),
    )
    .unwrap_err();

    assert!(
        error.to_string().contains("no certificate in PEM"),
        "{error}"
    );
}
