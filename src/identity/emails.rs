//! The e-mails that Porchlight sends, in plain text and HTML.

use super::accounts::guardians::Guardian;
use super::accounts::unverified::Permit;
use crate::kernel::clock::Timestamp;
use crate::kernel::mail::{Email, EmailAddress};

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
            include_str!("emails/top.html"),
            include_str!($content),
            include_str!("emails/bottom.html")
        )
    };
}

const SIGN_IN: Template = Template {
    subject: "Your sign-in link for Porchlight",
    text: include_str!("emails/sign_in.txt"),
    html: page!("emails/sign_in.html"),
};

const STEP_UP: Template = Template {
    subject: "Your code for Porchlight",
    text: include_str!("emails/step_up.txt"),
    html: page!("emails/step_up.html"),
};

const NEW_SIGN_IN: Template = Template {
    subject: "A new sign-in to Porchlight",
    text: include_str!("emails/new_sign_in.txt"),
    html: page!("emails/new_sign_in.html"),
};

const NEW_CODES: Template = Template {
    subject: "New recovery codes for Porchlight",
    text: include_str!("emails/new_codes.txt"),
    html: page!("emails/new_codes.html"),
};

const INVITATION: Template = Template {
    subject: "An invitation to Porchlight",
    text: include_str!("emails/invitation.txt"),
    html: page!("emails/invitation.html"),
};

const SOMEBODY_INVITED: Template = Template {
    subject: "Somebody was invited to Porchlight",
    text: include_str!("emails/somebody_invited.txt"),
    html: page!("emails/somebody_invited.html"),
};

const CHILD_ERASURE: Template = Template {
    subject: "A child's profile will be deleted from Porchlight",
    text: include_str!("emails/child_erasure.txt"),
    html: page!("emails/child_erasure.html"),
};

const NEW_ADDRESS: Template = Template {
    subject: "Is this your address for Porchlight?",
    text: include_str!("emails/new_address.txt"),
    html: page!("emails/new_address.html"),
};

const ADDRESS_CHANGE: Template = Template {
    subject: "Your address in Porchlight will change",
    text: include_str!("emails/address_change.txt"),
    html: page!("emails/address_change.html"),
};

/// An e-mail to an address that may be anybody's. It contains only its template and a link or a code.
pub struct UnverifiedEmail(Email);

impl UnverifiedEmail {
    pub fn to(&self) -> &EmailAddress {
        &self.0.to
    }

    /// Returns the e-mail, given the permit to send it.
    pub fn permitted(self, _permit: Permit) -> Email {
        self.0
    }
}

impl Template {
    /// Fills in a link or a code, but no name: the recipient may be anybody.
    fn to_unverified(&self, to: &EmailAddress, ours: (&str, &str)) -> UnverifiedEmail {
        UnverifiedEmail(self.mail(None, to, &[ours]))
    }

    fn to(&self, guardian: &Guardian, values: &[(&str, &str)]) -> Email {
        self.mail(guardian.name.as_deref(), &guardian.email, values)
    }

    /// Replaces each placeholder by its value.
    fn mail(&self, name: Option<&str>, to: &EmailAddress, values: &[(&str, &str)]) -> Email {
        let greeting = match name {
            Some(name) => format!("Hello {name},"),
            None => "Hello,".to_owned(),
        };
        let mut all = vec![
            ("{subject}", self.subject),
            ("{greeting}", greeting.as_str()),
        ];
        all.extend(values);
        Email {
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

pub fn sign_in(guardian: &Guardian, link: &str) -> Email {
    SIGN_IN.to(guardian, &[("{link}", link)])
}

/// With a sign-in link for somebody who may become a guardian.
pub fn sign_up(to: &EmailAddress, link: &str) -> UnverifiedEmail {
    SIGN_IN.to_unverified(to, ("{link}", link))
}

/// With a code that a guardian types to step up.
pub fn step_up(guardian: &Guardian, code: &str) -> Email {
    STEP_UP.to(guardian, &[("{code}", code)])
}

/// The same for an unverified address.
pub fn step_up_unverified(to: &EmailAddress, code: &str) -> UnverifiedEmail {
    STEP_UP.to_unverified(to, ("{code}", code))
}

/// Notifies a guardian of a sign-in that didn't use a link sent by e-mail.
pub fn new_sign_in(guardian: &Guardian, device: &str, at: &str) -> Email {
    let what = format!("{device}, {at}");
    NEW_SIGN_IN.to(guardian, &[("{what}", &what)])
}

/// Notifies a guardian that new recovery codes were made.
pub fn new_codes(guardian: &Guardian, device: Option<&str>, at: Timestamp) -> Email {
    let device = device.unwrap_or("an unknown device");
    let at = at.to_chrono().format("%B %-d, %Y, %-I:%M %p UTC");
    NEW_CODES.to(guardian, &[("{what}", &format!("{device}, {at}"))])
}

pub fn invitation(to: &EmailAddress, link: &str) -> UnverifiedEmail {
    INVITATION.to_unverified(to, ("{link}", link))
}

/// Notifies a guardian that another guardian of their children invited somebody.
pub fn somebody_invited(guardian: &Guardian, by: &str, children: &str) -> Email {
    SOMEBODY_INVITED.to(guardian, &[("{by}", by), ("{children}", children)])
}

/// Notifies a guardian that another one requested the deletion of their child.
pub fn child_erasure(
    guardian: &Guardian,
    by: &str,
    child: &str,
    conversations: &str,
    names: &str,
) -> Email {
    let values = [
        ("{by}", by),
        ("{child}", child),
        ("{conversations}", conversations),
        ("{names}", names),
    ];
    CHILD_ERASURE.to(guardian, &values)
}

/// Asks to confirm a new address.
pub fn new_address(to: &EmailAddress, link: &str) -> UnverifiedEmail {
    NEW_ADDRESS.to_unverified(to, ("{link}", link))
}

/// Notifies a guardian that their address will become `to`, with a link to cancel that.
pub fn address_change(guardian: &Guardian, to: &EmailAddress, link: &str) -> Email {
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
            verified: true,
            invited_by: None,
            id: GuardianId::generate(&Randomness::repeatable()),
            email: "ada@example.org".parse().unwrap(),
            name: name.map(str::to_owned),
            added_at: Timestamp::from_micros(0),
            signed_out_at: None,
            sign_out_count: 0,
        }
    }

    fn mail(name: Option<&str>) -> Email {
        let guardian = guardian(name);
        sign_in(
            &guardian,
            "https://porchlight.example/finish-sign-in#token=lnk_x",
        )
    }

    #[test]
    fn both_parts_carry_the_link_and_the_minutes() {
        let mail = mail(Some("Ada"));

        for part in [&mail.text, &mail.html] {
            assert!(part.contains("https://porchlight.example/finish-sign-in#token=lnk_x"));
            assert!(part.contains("30 minutes"));
            assert!(part.contains("Hello Ada,"));
            assert!(!part.contains('{'), "every place is filled in: {part}");
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
            "Firefox on Android",
            "2026-11-21T20:00:00Z",
        );

        for part in [&mail.text, &mail.html] {
            assert!(part.contains("Firefox on Android, 2026-11-21T20:00:00Z"));
            assert!(!part.contains('{'), "every place is filled in: {part}");
        }
    }

    #[test]
    fn the_email_of_new_recovery_codes_names_the_device_and_the_time() {
        let at = Timestamp::parse("2026-11-05T08:03:59.5Z").unwrap();
        let mail = new_codes(&guardian(None), Some("Firefox on Android"), at);

        for part in [&mail.text, &mail.html] {
            assert!(part.contains("Firefox on Android, November 5, 2026, 8:03 AM UTC"));
            assert!(!part.contains('{'), "every place is filled in: {part}");
        }
    }

    #[test]
    fn emails_between_guardians_say_who_and_what_and_where_it_can_be_stopped() {
        let ben = guardian(Some("Ben"));
        let link = "https://porchlight.example/invitation#token=ivt_x";
        let invited = invitation(&ben.email, link).0;
        let told = somebody_invited(&ben, "Ada", "Mia and Noah");
        let erased = child_erasure(&ben, "Ada", "Mia", "3 conversations", "“Mia”");

        let parts = |mail: &Email| [mail.text.clone(), mail.html.clone()];
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
            assert!(!part.contains('{'), "every place is filled in: {part}");
        }
    }

    #[test]
    fn a_name_cannot_bring_html_with_it() {
        let mail = mail(Some("<b>Ada</b>"));

        assert!(mail.html.contains("Hello &lt;b&gt;Ada&lt;/b&gt;,"));
    }
}
