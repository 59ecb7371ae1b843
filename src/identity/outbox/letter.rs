//! The one letter that Porchlight writes.

use crate::kernel::mail::{EmailAddress, Letter};

use crate::identity::guardians::Guardian;

const TEXT: &str = include_str!("letter.txt");
const HTML: &str = include_str!("letter.html");

/// The letter that carries a sign-in link, to a guardian or to who may become one.
pub fn sign_in(guardian: Option<&Guardian>, to: &EmailAddress, link: &str) -> Letter {
    let greeting = match guardian.and_then(|guardian| guardian.name.as_ref()) {
        Some(name) => format!("Hello {name},"),
        None => "Hello,".to_owned(),
    };
    Letter {
        to: to.clone(),
        subject: "Your sign-in link for Porchlight".to_owned(),
        text: TEXT
            .replace("{greeting}", &greeting)
            .replace("{link}", link),
        html: HTML
            .replace("{greeting}", &escaped(&greeting))
            .replace("{link}", &escaped(link)),
    }
}

/// Text as it may stand in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::GuardianId;
    use crate::kernel::clock::Timestamp;
    use crate::kernel::randomness::Randomness;

    fn letter(name: Option<&str>) -> Letter {
        let email: EmailAddress = "ada@example.org".parse().unwrap();
        let guardian = Guardian {
            id: GuardianId::generate(&Randomness::repeatable()),
            email: email.clone(),
            name: name.map(str::to_owned),
            added_at: Timestamp::from_micros(0),
            signed_out_at: None,
        };
        sign_in(
            Some(&guardian),
            &email,
            "https://porchlight.example/finish-sign-in#token=lnk_x",
        )
    }

    #[test]
    fn both_parts_carry_the_link_and_the_minutes() {
        let letter = letter(Some("Ada"));

        for part in [&letter.text, &letter.html] {
            assert!(part.contains("https://porchlight.example/finish-sign-in#token=lnk_x"));
            assert!(part.contains("30 minutes"));
            assert!(part.contains("Hello Ada,"));
            assert!(!part.contains('{'), "every place is filled in: {part}");
        }
    }

    #[test]
    fn a_name_cannot_bring_html_with_it() {
        let letter = letter(Some("<b>Ada</b>"));

        assert!(letter.html.contains("Hello &lt;b&gt;Ada&lt;/b&gt;,"));
    }
}
