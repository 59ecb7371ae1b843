//! The e-mails that Porchlight sends, in plain text and HTML.

use super::accounts::guardians::Guardian;
use super::accounts::unverified::EmailPermit;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::mail::{Email, EmailAddress, Template};
use crate::kernel::outgoing::queue::{Composed, Outcome};

const UNKNOWN_DEVICE: &str = "an unknown device";

const SIGN_IN: Template = Template {
    subject: "Your sign-in link for Porchlight",
    text: include_str!("emails/sign_in.txt"),
    html: include_str!("emails/sign_in.html"),
};

const STEP_UP: Template = Template {
    subject: "Your code for Porchlight",
    text: include_str!("emails/step_up.txt"),
    html: include_str!("emails/step_up.html"),
};

const NEW_SIGN_IN: Template = Template {
    subject: "A new sign-in to Porchlight",
    text: include_str!("emails/new_sign_in.txt"),
    html: include_str!("emails/new_sign_in.html"),
};

const NEW_CODES: Template = Template {
    subject: "New recovery codes for Porchlight",
    text: include_str!("emails/new_codes.txt"),
    html: include_str!("emails/new_codes.html"),
};

const NEW_ADDRESS: Template = Template {
    subject: "Is this your address for Porchlight?",
    text: include_str!("emails/new_address.txt"),
    html: include_str!("emails/new_address.html"),
};

const ADDRESS_CHANGE: Template = Template {
    subject: "Your address in Porchlight will change",
    text: include_str!("emails/address_change.txt"),
    html: include_str!("emails/address_change.html"),
};

/// An e-mail to an address that may be anybody's. It contains only its template and a link or a code.
pub struct UnverifiedEmail(Email);

impl UnverifiedEmail {
    /// Fills in a link or a code, but no name: the recipient may be anybody.
    pub fn new(template: &Template, to: &EmailAddress, ours: (&str, &str)) -> Self {
        Self(template.filled(None, to, &[ours]))
    }

    /// Returns the e-mail, given the permit to send it. A try that fails doesn't use up the permit.
    pub fn permitted(self, permit: EmailPermit) -> Composed {
        Composed::from(self.0).settled_by(move |_, outcome| {
            if outcome == Outcome::NotSent {
                permit.give_back();
            }
            Ok(())
        })
    }
}

/// An e-mail to a guardian with a verified address.
pub fn to_guardian(guardian: &Guardian, template: &Template, values: &[(&str, &str)]) -> Email {
    template.filled(guardian.name.as_deref(), &guardian.email, values)
}

pub fn sign_in(guardian: &Guardian, link: &str) -> Email {
    to_guardian(guardian, &SIGN_IN, &[("{link}", link)])
}

/// With a sign-in link for somebody who may become a guardian.
pub fn sign_up(to: &EmailAddress, link: &str) -> UnverifiedEmail {
    UnverifiedEmail::new(&SIGN_IN, to, ("{link}", link))
}

/// With a code that a guardian types to step up.
pub fn step_up(guardian: &Guardian, code: &str) -> Email {
    to_guardian(guardian, &STEP_UP, &[("{code}", code)])
}

/// The same for an unverified address.
pub fn step_up_unverified(to: &EmailAddress, code: &str) -> UnverifiedEmail {
    UnverifiedEmail::new(&STEP_UP, to, ("{code}", code))
}

/// Notifies a guardian of a sign-in that didn't use a link sent by e-mail.
pub fn new_sign_in(guardian: &Guardian, device: Option<&str>, at: &str) -> Email {
    let what = format!("{}, {at}", device.unwrap_or(UNKNOWN_DEVICE));
    to_guardian(guardian, &NEW_SIGN_IN, &[("{what}", &what)])
}

/// Notifies a guardian that new recovery codes were made.
pub fn new_codes(guardian: &Guardian, device: Option<&str>, at: Timestamp) -> Email {
    let device = device.unwrap_or(UNKNOWN_DEVICE);
    let at = at.to_chrono().format("%B %-d, %Y, %-I:%M %p UTC");
    to_guardian(
        guardian,
        &NEW_CODES,
        &[("{what}", &format!("{device}, {at}"))],
    )
}

/// Asks to confirm a new address.
pub fn new_address(to: &EmailAddress, link: &str) -> UnverifiedEmail {
    UnverifiedEmail::new(&NEW_ADDRESS, to, ("{link}", link))
}

/// Notifies a guardian that their address will become `to`, with a link to cancel that.
pub fn address_change(guardian: &Guardian, to: &EmailAddress, link: &str) -> Email {
    let new = to.to_string();
    to_guardian(
        guardian,
        &ADDRESS_CHANGE,
        &[("{new}", &new), ("{link}", link)],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::GuardianId;
    use crate::kernel::host::randomness::Randomness;

    fn guardian(name: Option<&str>) -> Guardian {
        Guardian {
            verified: true,
            invited_by: None,
            id: GuardianId::generate(&Randomness::repeatable()),
            email: "ada@example.org".parse().unwrap(),
            name: name.map(str::to_owned),
            added_at: Timestamp::from_micros(0),
            signed_out_at: None,
            sign_out_count: 0,
            uses_name: false,
        }
    }

    fn mail(name: Option<&str>) -> Email {
        let guardian = guardian(name);
        sign_in(
            &guardian,
            "https://porchlight.example/finish-sign-in#token=lnk_x",
        )
    }

    /// The HTML's head has styles in braces.
    fn assert_filled_in(part: &str) {
        let (_, body) = part.split_once("<body").unwrap_or(("", part));
        assert!(!body.contains('{'), "{part}");
    }

    #[test]
    fn both_parts_carry_the_link_and_the_minutes() {
        let mail = mail(Some("Ada"));

        for part in [&mail.text, &mail.html] {
            assert!(part.contains("https://porchlight.example/finish-sign-in#token=lnk_x"));
            assert!(part.contains("30 minutes"));
            assert!(part.contains("Hello Ada,"));
            assert_filled_in(part);
        }
    }

    #[test]
    fn the_email_to_step_up_carries_the_code_and_its_minutes() {
        let mail = step_up(&guardian(Some("{code}")), "123 456");

        for part in [&mail.text, &mail.html] {
            assert_eq!(part.matches("123 456").count(), 1);
            assert!(part.contains("10 minutes"));
            assert!(part.contains("Hello {code},"), "a name fills no place");
        }
    }

    #[test]
    fn the_email_of_a_new_sign_in_names_the_device_and_the_time() {
        let mail = new_sign_in(
            &guardian(None),
            Some("Firefox on Android"),
            "2026-11-21T20:00:00Z",
        );

        for part in [&mail.text, &mail.html] {
            assert!(part.contains("Firefox on Android, 2026-11-21T20:00:00Z"));
            assert_filled_in(part);
        }
    }

    #[test]
    fn the_email_of_new_recovery_codes_names_the_device_and_the_time() {
        let at = Timestamp::parse("2026-11-05T08:03:59.5Z").unwrap();
        let mail = new_codes(&guardian(None), Some("Firefox on Android"), at);

        for part in [&mail.text, &mail.html] {
            assert!(part.contains("Firefox on Android, November 5, 2026, 8:03 AM UTC"));
            assert_filled_in(part);
        }
    }

    #[test]
    fn the_emails_about_an_address_say_what_their_link_does_and_until_when() {
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
            assert_filled_in(part);
        }
    }

    #[test]
    fn a_name_cannot_bring_html_with_it() {
        let mail = mail(Some("<b>Ada"));

        assert!(mail.html.contains("Hello &lt;b&gt;Ada,"));
    }
}
