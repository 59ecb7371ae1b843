//! The e-mails that Porchlight sends, in plain text and HTML.

use super::accounts::guardians::Guardian;
use super::accounts::unverified::EmailPermit;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::kernel::host::texts::text;
use crate::kernel::host::zones::Zone;
use crate::kernel::http::limit::TooMany;
use crate::kernel::http::problem::refusals;
use crate::kernel::outgoing::mail::{Draft, Email, EmailAddress, LinkInText};
use crate::kernel::outgoing::queue::{Composed, Outcome, QueueError};
use crate::kernel::store::StoreError;

/// Why an e-mail that a guardian asked for isn't sent.
#[derive(Debug, thiserror::Error)]
pub enum EmailError {
    #[error("This Porchlight sends no emails.")]
    NotConfigured,
    /// The guardian's limit of such e-mails is reached.
    #[error(
        "Several emails were asked for. Please look for the latest one, or try again in a few minutes."
    )]
    TooMany(TooMany),
    /// The mail server did not accept the e-mail.
    #[error("The email could not be sent. Please try again in a moment.")]
    NotSent,
    #[error(transparent)]
    Queue(#[from] QueueError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    EmailError from Queue, Store {
        NotConfigured => against_a_rule(EmailNotConfigured),
        TooMany(limit) => too_many(TooManyEmails, limit.seconds),
        NotSent => not_now(EmailNotSent, 30),
    }
}

/// An e-mail to an address that may be anybody's. It contains only its texts and a link or a code.
pub struct UnverifiedEmail(Email);

impl UnverifiedEmail {
    /// Fills in a link or a code, but no name: the recipient may be anybody.
    pub fn new(
        to: &EmailAddress,
        language: Language,
        draft: fn(Language, &str) -> Draft,
        ours: &str,
    ) -> Self {
        Self(draft(language, ours).to(None, to))
    }

    /// Returns the e-mail, given the permit to send it. A try that fails doesn't use up the permit.
    pub fn permitted(self, permit: EmailPermit) -> Composed {
        Composed::from(self.0).with_outcome(move |_, outcome| {
            if outcome == Outcome::NotSent {
                permit.give_back();
            }
            Ok(())
        })
    }
}

/// An e-mail in the language of a guardian with a verified address.
pub fn to_guardian(guardian: &Guardian, draft: impl FnOnce(Language) -> Draft) -> Email {
    draft(guardian.language()).to(guardian.name.as_deref(), &guardian.email)
}

/// With a sign-in link. `asked_in` is the language of the browser that asked for it.
pub fn sign_in(guardian: &Guardian, asked_in: Option<Language>, link: &str) -> Email {
    let language = guardian.language.or(asked_in).unwrap_or_default();
    sign_in_draft(language, link).to(guardian.name.as_deref(), &guardian.email)
}

/// With a sign-in link for somebody who may become a guardian.
pub fn sign_up(to: &EmailAddress, language: Language, link: &str) -> UnverifiedEmail {
    UnverifiedEmail::new(to, language, sign_in_draft, link)
}

fn sign_in_draft(language: Language, link: &str) -> Draft {
    let say = |key| text(language, key, &[]);
    Draft::new(language, "sign-in-subject")
        .paragraph(say("sign-in-above-link"))
        .in_text()
        .paragraph(say("sign-in-here"))
        .in_html()
        .link("sign-in-button", link, LinkInText::WithoutLabel)
        .note(say("sign-in-works"))
        .link_to_copy(link)
        .note(say("sign-in-not-asked"))
}

/// With a code that a guardian types to step up.
pub fn step_up(guardian: &Guardian, code: &str) -> Email {
    to_guardian(guardian, |language| step_up_draft(language, code))
}

/// The same for an unverified address.
pub fn step_up_unverified(guardian: &Guardian, code: &str) -> UnverifiedEmail {
    UnverifiedEmail::new(&guardian.email, guardian.language(), step_up_draft, code)
}

fn step_up_draft(language: Language, code: &str) -> Draft {
    let say = |key| text(language, key, &[]);
    Draft::new(language, "step-up-subject")
        .paragraph(say("step-up-here"))
        .code(code)
        .note(say("step-up-works"))
        .note(say("step-up-not-asked"))
}

/// Notifies a guardian of a sign-in that didn't use a link sent by e-mail.
pub fn new_sign_in(guardian: &Guardian, device: Option<&str>, zone: &Zone, at: Timestamp) -> Email {
    to_guardian(guardian, |language| {
        access_draft(language, "new-sign-in", device, zone.in_words(at, language))
    })
}

/// Notifies a guardian that new recovery codes were made.
pub fn new_codes(guardian: &Guardian, device: Option<&str>, zone: &Zone, at: Timestamp) -> Email {
    to_guardian(guardian, |language| {
        access_draft(language, "new-codes", device, zone.in_words(at, language))
    })
}

fn access_draft(language: Language, what: &str, device: Option<&str>, at: String) -> Draft {
    let say = |key: &str| text(language, key, &[]);
    let device = device.map_or_else(
        || say("unknown-device"),
        |device| device_in_words(language, device),
    );
    let args = [("device", device.into()), ("time", at.into())];
    Draft::new(language, &format!("{what}-subject"))
        .paragraph(say(&format!("{what}-happened")))
        .strong(text(language, "device-and-time", &args))
        .note(say("was-it-you"))
        .note(say(&format!("{what}-not-you")))
}

/// A [device](super::device) in another language than English.
fn device_in_words(language: Language, device: &str) -> String {
    let Some((browser, system)) = device.split_once(" on ") else {
        return device.to_owned();
    };
    let browser = if browser == "A browser" {
        text(language, "unknown-browser", &[])
    } else {
        browser.to_owned()
    };
    let names = system.split(" or ").map(|system| {
        let name = system.strip_prefix("an ").or(system.strip_prefix("a "));
        name.unwrap_or(system)
    });
    let names = names.map(str::to_owned).reduce(|first, second| {
        let args = [("first", first.into()), ("second", second.into())];
        text(language, "either", &args)
    });
    let args = [
        ("browser", browser.into()),
        ("system", system.into()),
        ("system-names", names.unwrap_or_default().into()),
    ];
    text(language, "device", &args)
}

/// Asks to confirm a guardian's new address.
pub fn new_address(guardian: &Guardian, to: &EmailAddress, link: &str) -> UnverifiedEmail {
    UnverifiedEmail::new(to, guardian.language(), new_address_draft, link)
}

fn new_address_draft(language: Language, link: &str) -> Draft {
    let say = |key| text(language, key, &[]);
    let asked = say("new-address-asked");
    Draft::new(language, "new-address-subject")
        .paragraph(format!("{asked} {}", say("new-address-open")))
        .in_text()
        .paragraph(format!("{asked} {}", say("new-address-confirm")))
        .in_html()
        .link("new-address-button", link, LinkInText::WithoutLabel)
        .note(say("new-address-works"))
        .in_html()
        .link_to_copy(link)
        .note(say("new-address-not-you"))
}

/// Notifies a guardian that their address will become `to`, with a link to cancel that.
pub fn address_change(guardian: &Guardian, to: &EmailAddress, link: &str) -> Email {
    to_guardian(guardian, |language| {
        address_change_draft(language, to, link)
    })
}

fn address_change_draft(language: Language, to: &EmailAddress, link: &str) -> Draft {
    let say = |key| text(language, key, &[]);
    let keys = [
        "address-change-goes",
        "address-change-asked",
        "address-change-waits",
    ];
    let [goes, asked, waits] = keys.map(say);
    Draft::new(language, "address-change-subject")
        .paragraph(format!("{goes} {to}. {asked}"))
        .in_text()
        .paragraph(waits.clone())
        .in_text()
        .paragraph(say("address-change-stop-here"))
        .in_text()
        .paragraph(goes)
        .in_html()
        .address(to)
        .in_html()
        .paragraph(format!("{asked} {waits}"))
        .in_html()
        .link("address-change-button", link, LinkInText::WithoutLabel)
        .link_to_copy(link)
        .note(say("address-change-then"))
        .in_html()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::GuardianId;
    use crate::kernel::host::randomness::Randomness;
    use crate::kernel::outgoing::mail::check_in_each_language;

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
            language: None,
        }
    }

    fn mail(name: Option<&str>) -> Email {
        let guardian = guardian(name);
        sign_in(
            &guardian,
            None,
            "https://porchlight.example/finish-sign-in#token=lnk_x",
        )
    }

    /// The HTML's head has styles in braces.
    fn assert_filled_in(part: &str) {
        let (_, body) = part.split_once("<body").unwrap_or(("", part));
        assert!(!body.contains('{'), "{part}");
    }

    #[test]
    fn each_email_is_in_each_language() {
        let link = "https://porchlight.example/x#token=1";
        let at = Timestamp::parse("2026-11-25T18:01:59Z").unwrap();
        let zone = "Europe/Berlin".parse::<Zone>().unwrap();
        let new = "ada@example.net".parse().unwrap();

        check_in_each_language("sign-in", |language| sign_in_draft(language, link));
        check_in_each_language("step-up", |language| step_up_draft(language, "123 456"));
        check_in_each_language("new-sign-in", |language| {
            let (device, at) = ("Firefox on an iPhone", zone.in_words(at, language));
            access_draft(language, "new-sign-in", Some(device), at)
        });
        check_in_each_language("new-codes", |language| {
            access_draft(language, "new-codes", None, zone.in_words(at, language))
        });
        check_in_each_language("new-address", |language| new_address_draft(language, link));
        check_in_each_language("address-change", |language| {
            address_change_draft(language, &new, link)
        });
    }

    #[test]
    fn an_email_is_in_the_guardians_language_or_else_in_the_browsers() {
        let subject = |chosen, asked_in| {
            let guardian = Guardian {
                language: chosen,
                ..guardian(Some("Ada"))
            };
            sign_in(&guardian, asked_in, "https://porchlight.example/").subject
        };

        let (de, fr) = (Some(Language::De), Some(Language::Fr));
        assert_eq!(subject(de, fr), "Dein Anmeldelink für Porchlight");
        assert_eq!(subject(None, fr), "Votre lien de connexion à Porchlight");
        assert_eq!(subject(None, None), "Your sign-in link for Porchlight");
    }

    #[test]
    fn a_device_is_named_without_english_articles() {
        let named = |device| device_in_words(Language::De, device);

        assert_eq!(
            named("Safari on a Mac or an iPad"),
            "Safari (Mac oder iPad)"
        );
        assert_eq!(named("A browser on Linux"), "Ein Browser (Linux)");
        assert_eq!(named("Firefox"), "Firefox");
        let english = device_in_words(Language::En, "Safari on a Mac or an iPad");
        assert_eq!(english, "Safari on a Mac or an iPad");
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
            &Zone::UTC,
            Timestamp::parse("2026-11-21T20:00:00Z").unwrap(),
        );

        for part in [&mail.text, &mail.html] {
            assert!(
                part.contains("Firefox on Android, Saturday, November 21, 2026, 8:00 PM (UTC)")
            );
            assert_filled_in(part);
        }
    }

    #[test]
    fn the_email_of_new_recovery_codes_names_the_device_and_the_time() {
        let at = Timestamp::parse("2026-11-05T08:03:59.5Z").unwrap();
        let zone = "Etc/UTC".parse().unwrap();
        let mail = new_codes(&guardian(None), Some("Firefox on Android"), &zone, at);

        let when = "Firefox on Android, Thursday, November 5, 2026, 8:03 AM (UTC)";
        for part in [&mail.text, &mail.html] {
            assert!(part.contains(when), "{part}");
            assert_filled_in(part);
        }
    }

    #[test]
    fn the_emails_about_an_address_say_what_their_link_does_and_until_when() {
        let ada = guardian(Some("Ada"));
        let new = "ada@example.net".parse().unwrap();
        let answer = new_address(&ada, &new, "https://porchlight.example/address#token=adr_x").0;
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
