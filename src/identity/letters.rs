//! The letters that Porchlight writes, in text and HTML.

use super::guardians::Guardian;
use crate::kernel::mail::{EmailAddress, Letter};

/// A letter's text and HTML, with the placeholders `{subject}`, `{greeting}` and one of its own.
struct Template {
    subject: &'static str,
    text: &'static str,
    html: &'static str,
}

/// A letter's HTML within the layout that all letters share.
macro_rules! page {
    ($content:literal) => {
        concat!(
            include_str!("letters/top.html"),
            include_str!($content),
            include_str!("letters/bottom.html")
        )
    };
}

const SIGN_IN: Template = Template {
    subject: "Your sign-in link for Porchlight",
    text: include_str!("letters/sign_in.txt"),
    html: page!("letters/sign_in.html"),
};

const STEP_UP: Template = Template {
    subject: "Your code for Porchlight",
    text: include_str!("letters/step_up.txt"),
    html: page!("letters/step_up.html"),
};

const NEW_SIGN_IN: Template = Template {
    subject: "A new sign-in to Porchlight",
    text: include_str!("letters/new_sign_in.txt"),
    html: page!("letters/new_sign_in.html"),
};

impl Template {
    /// Fills the placeholders in. The greeting comes last, so that a name cannot contain a placeholder.
    fn letter(&self, name: Option<&str>, to: &EmailAddress, place: &str, value: &str) -> Letter {
        let greeting = match name {
            Some(name) => format!("Hello {name},"),
            None => "Hello,".to_owned(),
        };
        let filled = |part: &str, escape: fn(&str) -> String| {
            part.replace("{subject}", self.subject)
                .replace(place, &escape(value))
                .replace("{greeting}", &escape(&greeting))
        };
        Letter {
            to: to.clone(),
            subject: self.subject.to_owned(),
            text: filled(self.text, str::to_owned),
            html: filled(self.html, escaped),
        }
    }
}

/// The letter that carries a sign-in link, to a guardian or to who may become one.
pub fn sign_in(guardian: Option<&Guardian>, to: &EmailAddress, link: &str) -> Letter {
    let name = guardian.and_then(|guardian| guardian.name.as_deref());
    SIGN_IN.letter(name, to, "{link}", link)
}

/// The letter with the code that a guardian types to step up.
pub fn step_up(guardian: &Guardian, code: &str) -> Letter {
    STEP_UP.letter(guardian.name.as_deref(), &guardian.email, "{code}", code)
}

/// The letter that tells a guardian of a sign-in which no letter has led to.
pub fn new_sign_in(guardian: &Guardian, device: &str, at: &str) -> Letter {
    let what = format!("{device}, {at}");
    NEW_SIGN_IN.letter(guardian.name.as_deref(), &guardian.email, "{what}", &what)
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
            proved: true,
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
    fn the_letter_to_step_up_carries_the_code_and_its_minutes() {
        let email: EmailAddress = "ada@example.org".parse().unwrap();
        let guardian = Guardian {
            proved: true,
            id: GuardianId::generate(&Randomness::repeatable()),
            email,
            name: Some("{code}".to_owned()),
            added_at: Timestamp::from_micros(0),
            signed_out_at: None,
        };

        let letter = step_up(&guardian, "123 456");

        for part in [&letter.text, &letter.html] {
            assert_eq!(part.matches("123 456").count(), 1);
            assert!(part.contains("10 minutes"));
            assert!(part.contains("Hello {code},"), "a name fills no place");
        }
    }

    #[test]
    fn the_letter_of_a_new_sign_in_names_the_device_and_the_time() {
        let guardian = Guardian {
            proved: true,
            id: GuardianId::generate(&Randomness::repeatable()),
            email: "ada@example.org".parse().unwrap(),
            name: None,
            added_at: Timestamp::from_micros(0),
            signed_out_at: None,
        };

        let letter = new_sign_in(&guardian, "Firefox on Android", "2026-11-21T20:00:00Z");

        for part in [&letter.text, &letter.html] {
            assert!(part.contains("Firefox on Android, 2026-11-21T20:00:00Z"));
            assert!(!part.contains('{'), "every place is filled in: {part}");
        }
    }

    #[test]
    fn a_name_cannot_bring_html_with_it() {
        let letter = letter(Some("<b>Ada</b>"));

        assert!(letter.html.contains("Hello &lt;b&gt;Ada&lt;/b&gt;,"));
    }
}
