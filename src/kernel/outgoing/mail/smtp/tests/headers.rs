use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::*;

#[tokio::test]
async fn an_urgent_email_is_marked_and_no_other_is() {
    for is_urgent in [true, false] {
        let server = FakeServer::start(willing).await;
        let mail = Email {
            is_urgent,
            ..mail()
        };

        mailer_of(&server).hand_over(&mail, || ()).await.unwrap();

        let lines = server.lines().await;
        assert_eq!(
            lines.contains(&"Importance: high".to_owned()),
            is_urgent,
            "{lines:#?}"
        );
    }
}

#[tokio::test]
async fn a_long_subject_that_is_not_ascii_arrives_whole() {
    let server = FakeServer::start(willing).await;
    let subject = "Ŷööûŕ šîîĝñ-îîñ ļîîñķ ".repeat(8);
    let mail = Email {
        subject: subject.clone(),
        ..mail()
    };

    mailer_of(&server).hand_over(&mail, || ()).await.unwrap();

    let lines = server.lines().await;
    let first = lines.iter().position(|line| line.starts_with("Subject: "));
    let header = lines.iter().skip(first.unwrap()).enumerate();
    let header = header.take_while(|(index, line)| *index == 0 || line.starts_with(' '));
    let mut found = Vec::new();
    for (_, line) in header {
        assert!(line.len() <= 76, "{line}");
        for word in line.trim_start_matches("Subject:").split_whitespace() {
            let word = word.strip_prefix("=?utf-8?B?").unwrap();
            let word = word.strip_suffix("?=").unwrap();
            // RFC 2047, section 5: each part is whole characters.
            found.push(String::from_utf8(STANDARD.decode(word).unwrap()).unwrap());
        }
    }
    assert_eq!(found.concat(), subject);
}
