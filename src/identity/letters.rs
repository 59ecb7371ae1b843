//! The e-mails that Porchlight sends, in plain text and HTML.

use super::guardians::Guardian;
use super::unverified::Permit;
use crate::kernel::clock::Timestamp;
use crate::kernel::mail::{EmailAddress, Letter};

/// An e-mail's text and HTML, with the placeholders `{subject}`, `{greeting}` and its own.
struct Template {
    subject: &'static str,
    text: &'static str,
    html: &'static str,
}

/// An e-mail's HTML within the shared layout.
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

const NEW_CODES: Template = Template {
    subject: "New recovery codes for Porchlight",
    text: include_str!("letters/new_codes.txt"),
    html: page!("letters/new_codes.html"),
};

const INVITATION: Template = Template {
    subject: "An invitation to Porchlight",
    text: include_str!("letters/invitation.txt"),
    html: page!("letters/invitation.html"),
};

const SOMEBODY_INVITED: Template = Template {
    subject: "Somebody was invited to Porchlight",
    text: include_str!("letters/somebody_invited.txt"),
    html: page!("letters/somebody_invited.html"),
};

const CHILD_ERASURE: Template = Template {
    subject: "A child will be erased from Porchlight",
    text: include_str!("letters/child_erasure.txt"),
    html: page!("letters/child_erasure.html"),
};

const NEW_ADDRESS: Template = Template {
    subject: "Is this your address for Porchlight?",
    text: include_str!("letters/new_address.txt"),
    html: page!("letters/new_address.html"),
};

const ADDRESS_CHANGE: Template = Template {
    subject: "Your address in Porchlight will change",
    text: include_str!("letters/address_change.txt"),
    html: page!("letters/address_change.html"),
};

/// An e-mail to an address that may be anybody's. It contains only its template and a link or a code.
pub struct UnverifiedLetter(Letter);

impl UnverifiedLetter {
    pub fn to(&self) -> &EmailAddress {
        &self.0.to
    }

    /// Returns the e-mail, given the permit to send it.
    pub fn permitted(self, _permit: Permit) -> Letter {
        self.0
    }
}

impl Template {
    /// Fills in a link or a code, but no name: the recipient may be anybody.
    fn to_unverified(&self, to: &EmailAddress, ours: (&str, &str)) -> UnverifiedLetter {
        UnverifiedLetter(self.letter(None, to, &[ours]))
    }

    fn to(&self, guardian: &Guardian, values: &[(&str, &str)]) -> Letter {
        self.letter(guardian.name.as_deref(), &guardian.email, values)
    }

    /// Replaces each placeholder by its value.
    fn letter(&self, name: Option<&str>, to: &EmailAddress, values: &[(&str, &str)]) -> Letter {
        let greeting = match name {
            Some(name) => format!("Hello {name},"),
            None => "Hello,".to_owned(),
        };
        let mut all = vec![
            ("{subject}", self.subject),
            ("{greeting}", greeting.as_str()),
        ];
        all.extend(values);
        Letter {
            to: to.clone(),
            subject: self.subject.to_owned(),
            text: fill(self.text, &all, str::to_owned),
            html: fill(self.html, &all, escaped),
        }
    }
}

/// Replaces placeholders in one pass, so that placeholders in values stay as they are.
fn fill(template: &str, values: &[(&str, &str)], escape: fn(&str) -> String) -> String {
    let (mut filled, mut rest) = (String::new(), template);
    loop {
        let places = values
            .iter()
            .filter_map(|(name, value)| rest.find(name).map(|at| (at, *name, *value)));
        let Some((at, name, value)) = places.min_by_key(|(at, ..)| *at) else {
            return filled + rest;
        };
        filled.push_str(&rest[..at]);
        filled.push_str(&escape(value));
        rest = &rest[at + name.len()..];
    }
}

pub fn sign_in(guardian: &Guardian, link: &str) -> Letter {
    SIGN_IN.to(guardian, &[("{link}", link)])
}

/// With a sign-in link for somebody who may become a guardian.
pub fn sign_up(to: &EmailAddress, link: &str) -> UnverifiedLetter {
    SIGN_IN.to_unverified(to, ("{link}", link))
}

/// With a code that a guardian types to step up.
pub fn step_up(guardian: &Guardian, code: &str) -> Letter {
    STEP_UP.to(guardian, &[("{code}", code)])
}

/// The same for an unverified address.
pub fn step_up_unverified(to: &EmailAddress, code: &str) -> UnverifiedLetter {
    STEP_UP.to_unverified(to, ("{code}", code))
}

/// Notifies a guardian of a sign-in that didn't use a link sent by e-mail.
pub fn new_sign_in(guardian: &Guardian, device: &str, at: &str) -> Letter {
    let what = format!("{device}, {at}");
    NEW_SIGN_IN.to(guardian, &[("{what}", &what)])
}

/// Notifies a guardian that new recovery codes were made.
pub fn new_codes(guardian: &Guardian, device: Option<&str>, at: Timestamp) -> Letter {
    let device = device.unwrap_or("an unknown device");
    let at = at.to_chrono().format("%B %-d, %Y, %-I:%M %p UTC");
    NEW_CODES.to(guardian, &[("{what}", &format!("{device}, {at}"))])
}

pub fn invitation(to: &EmailAddress, link: &str) -> UnverifiedLetter {
    INVITATION.to_unverified(to, ("{link}", link))
}

/// Notifies a guardian that another guardian of their children invited somebody.
pub fn somebody_invited(guardian: &Guardian, by: &str, children: &str) -> Letter {
    SOMEBODY_INVITED.to(guardian, &[("{by}", by), ("{children}", children)])
}

/// Notifies a guardian that another one requested the deletion of their child.
pub fn child_erasure(
    guardian: &Guardian,
    by: &str,
    child: &str,
    conversations: &str,
    names: &str,
) -> Letter {
    let values = [
        ("{by}", by),
        ("{child}", child),
        ("{conversations}", conversations),
        ("{names}", names),
    ];
    CHILD_ERASURE.to(guardian, &values)
}

/// Asks to confirm a new address.
pub fn new_address(to: &EmailAddress, link: &str) -> UnverifiedLetter {
    NEW_ADDRESS.to_unverified(to, ("{link}", link))
}

/// Notifies a guardian that their address will become `to`, with a link to cancel that.
pub fn address_change(guardian: &Guardian, to: &EmailAddress, link: &str) -> Letter {
    let new = to.to_string();
    ADDRESS_CHANGE.to(guardian, &[("{new}", &new), ("{link}", link)])
}

/// Escapes text for HTML.
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
    use crate::kernel::randomness::Randomness;

    fn guardian(name: Option<&str>) -> Guardian {
        Guardian {
            proved: true,
            invited_by: None,
            id: GuardianId::generate(&Randomness::repeatable()),
            email: "ada@example.org".parse().unwrap(),
            name: name.map(str::to_owned),
            added_at: Timestamp::from_micros(0),
            signed_out_at: None,
            sign_out_count: 0,
        }
    }

    fn letter(name: Option<&str>) -> Letter {
        let guardian = guardian(name);
        sign_in(
            &guardian,
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
        let letter = step_up(&guardian(Some("{code}")), "123 456");

        for part in [&letter.text, &letter.html] {
            assert_eq!(part.matches("123 456").count(), 1);
            assert!(part.contains("10 minutes"));
            assert!(part.contains("Hello {code},"), "a name fills no place");
        }
    }

    #[test]
    fn the_letter_of_a_new_sign_in_names_the_device_and_the_time() {
        let letter = new_sign_in(
            &guardian(None),
            "Firefox on Android",
            "2026-11-21T20:00:00Z",
        );

        for part in [&letter.text, &letter.html] {
            assert!(part.contains("Firefox on Android, 2026-11-21T20:00:00Z"));
            assert!(!part.contains('{'), "every place is filled in: {part}");
        }
    }

    #[test]
    fn the_email_of_new_recovery_codes_names_the_device_and_the_time() {
        let at = Timestamp::parse("2026-11-05T08:03:59.5Z").unwrap();
        let letter = new_codes(&guardian(None), Some("Firefox on Android"), at);

        for part in [&letter.text, &letter.html] {
            assert!(part.contains("Firefox on Android, November 5, 2026, 8:03 AM UTC"));
            assert!(!part.contains('{'), "every place is filled in: {part}");
        }
    }

    #[test]
    fn letters_between_guardians_say_who_and_what_and_where_it_can_be_stopped() {
        let ben = guardian(Some("Ben"));
        let link = "https://porchlight.example/invitation#token=ivt_x";
        let invited = invitation(&ben.email, link).0;
        let told = somebody_invited(&ben, "Ada", "Mia and Noah");
        let erased = child_erasure(&ben, "Ada", "Mia", "3 conversations", "“Mia”");

        let parts = |letter: &Letter| [letter.text.clone(), letter.html.clone()];
        for part in parts(&invited) {
            assert!(part.contains(link) && !part.contains("Ada"), "{part}");
            assert!(part.contains("14 days"), "{part}");
        }
        for part in parts(&told).into_iter().chain(parts(&erased)) {
            assert!(
                part.contains("Hello Ben,") && part.contains("Ada"),
                "{part}"
            );
            assert!(part.contains("Mia") && part.contains("7 days"), "{part}");
            assert!(!part.contains('{'), "every place is filled in: {part}");
        }
    }

    #[test]
    fn the_letters_about_an_address_say_what_their_link_does_and_until_when() {
        let ada = guardian(Some("Ada"));
        let new = "ada@example.net".parse().unwrap();
        let answer = new_address(&new, "https://porchlight.example/address#token=adr_x").0;
        let stop = address_change(&ada, &new, "https://porchlight.example/address#stop=ads_x");

        assert_eq!((&answer.to, &stop.to), (&new, &ada.email));
        for part in [&answer.text, &answer.html] {
            assert!(
                part.contains("#token=adr_x") && part.contains("7 days"),
                "{part}"
            );
            assert!(
                !part.contains("Ada"),
                "nothing is told to who may be a stranger"
            );
        }
        for part in [&stop.text, &stop.html] {
            assert!(
                part.contains("#stop=ads_x") && part.contains("24 hours"),
                "{part}"
            );
            assert!(
                part.contains("Hello Ada,") && part.contains("ada@example.net"),
                "{part}"
            );
        }
        for part in [&answer.text, &answer.html, &stop.text, &stop.html] {
            assert!(!part.contains('{'), "every place is filled in: {part}");
        }
    }

    #[test]
    fn a_name_cannot_bring_html_with_it() {
        let letter = letter(Some("<b>Ada</b>"));

        assert!(letter.html.contains("Hello &lt;b&gt;Ada&lt;/b&gt;,"));
    }
}
