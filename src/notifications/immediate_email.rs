//! The e-mail that tells a guardian of alerts at once.

use super::arrivals;
use super::content::{Count, NotificationContent, Reading};
use super::immediate::{Channel, compose_pending, with_outcome};
use super::rate_limit::GIVEN_UP_AFTER;
use super::servers::EMAIL;
use super::unsubscribe::{Unsubscribing, Which};
use crate::alerts::NotifiableKind;
use crate::identity::{GuardianId, Notices, to_guardian};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::clock::Clock;
use crate::kernel::host::language::Language;
use crate::kernel::host::texts::text;
use crate::kernel::host::words::{in_sentence, name_in_sentence, said_in_sentence};
use crate::kernel::outgoing::mail::{Draft, LinkInText};
use crate::kernel::outgoing::queue::{Composed, Composer, Item, NoAnswer, Places, Policy};
use crate::kernel::store::{Change, StoreError};

pub(super) const CHANNEL: Channel = Channel {
    name: "alerts-email",
    is_on: |subscription| subscription.at_once.email,
    devices: None,
};

/// By guardian: what waits for the same guardian is one message.
pub(super) struct AlertsEmail {
    pub reading: Reading,
    pub clock: Clock,
    pub addresses: Addresses,
    pub unsubscribing: Unsubscribing,
}

impl Composer for AlertsEmail {
    type Data = ();

    fn policy(&self) -> Policy {
        Policy {
            name: CHANNEL.name,
            places: Places::OF_EACH,
            gives_up_after: GIVEN_UP_AFTER,
            on_no_answer: NoAnswer::CountsAsSent,
        }
    }

    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
        let id = GuardianId::from_text(&item.recipient);
        let now = self.clock.now();
        let Some(content) =
            compose_pending(change, &CHANNEL, &self.reading, &id.clone().into(), now)?
        else {
            return Ok(None);
        };
        let Some(guardian) = Notices::recipient(&self.reading.guardians, change, &id)? else {
            super::pending::remove(change, CHANNEL.name, &id)?;
            return Ok(None);
        };
        let link = self.link(&content);
        let mut email = to_guardian(&guardian, |language| draft(language, &content, &link));
        email.unsubscribe = self.unsubscribing.url(&guardian, Which::AtOnce);
        let whose = id.clone();
        let message = with_outcome(
            Composed::from(email).reported_to(move |change, arrival| {
                arrivals::record(change, EMAIL, Some(&whose), arrival)
            }),
            &CHANNEL,
            &self.reading,
            &self.clock,
            id.into(),
            content.covered,
        );
        Ok(Some(message))
    }
}

impl AlertsEmail {
    /// The page with the alerts of the first child.
    fn link(&self, content: &NotificationContent) -> String {
        let child = content.children.first().map(|of_child| of_child.child);
        let path = child.map_or_else(|| "/".to_owned(), |child| format!("/child/{child}/alerts"));
        self.addresses.for_links().page(&path)
    }
}

/// The subject never says what it is about.
fn draft(language: Language, content: &NotificationContent, link: &str) -> Draft {
    let mut draft = Draft::new(language, "alerts-subject");
    if content.is_urgent() {
        draft = draft.urgent(text(language, "alerts-urgent", &[]));
    }
    for of_child in &content.children {
        let child = name_in_sentence(&of_child.name);
        for count in &of_child.counts {
            draft = draft.headline(sentence(language, &child, count));
        }
        for quote in &of_child.quotes {
            let args = [
                ("phrase", in_sentence(&quote.phrase).into()),
                ("text", said_in_sentence(&quote.text).into()),
            ];
            draft = draft.quote(text(language, "alerts-quote", &args));
        }
    }
    draft
        .link("alerts-button", link, LinkInText::Above)
        .note(text(language, "alerts-chosen", &[]))
}

/// What happened, in a sentence.
fn sentence(language: Language, child: &str, count: &Count) -> String {
    let key = match count.kind {
        NotifiableKind::Phrase => "alerts-phrase",
        NotifiableKind::OutsideTimes => "alerts-outside-times",
        NotifiableKind::Reviewer => "alerts-reviewer",
    };
    let mut number = count.count.to_string();
    if count.is_more {
        number = text(language, "alerts-at-least", &[("number", number.into())]);
    }
    let args = [
        ("child", child.into()),
        ("count", count.count.into()),
        ("number", number.into()),
    ];
    text(language, key, &args)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::Quote;
    use crate::children::ChildId;
    use crate::kernel::outgoing::mail::check_in_each_language;
    use crate::notifications::content::{ContentOfChild, Covered};

    fn of_child(name: &str, counts: &[(NotifiableKind, usize)]) -> ContentOfChild {
        let counts = counts.iter().map(|(kind, count)| Count {
            kind: *kind,
            count: *count,
            is_more: *count == 100,
        });
        ContentOfChild {
            child: ChildId::new(1),
            name: name.to_owned(),
            is_urgent: false,
            counts: counts.collect(),
            quotes: Vec::new(),
        }
    }

    #[test]
    fn the_email_is_in_each_language() {
        let mut noah = of_child(
            "Noah",
            &[
                (NotifiableKind::Phrase, 100),
                (NotifiableKind::OutsideTimes, 2),
                (NotifiableKind::Reviewer, 1),
            ],
        );
        noah.quotes.push(Quote {
            phrase: "my address".to_owned(),
            text: "my address is".to_owned(),
        });
        let content = NotificationContent {
            children: vec![of_child("Mia", &[(NotifiableKind::Phrase, 1)]), noah],
            covered: Covered::default(),
        };

        let link = "https://porchlight.example/x#token=1";
        check_in_each_language("alerts", |language| draft(language, &content, link));
        let urgent = NotificationContent {
            children: vec![ContentOfChild {
                is_urgent: true,
                ..of_child("Mia", &[(NotifiableKind::Reviewer, 1)])
            }],
            covered: Covered::default(),
        };
        check_in_each_language("alerts-urgent", |language| draft(language, &urgent, link));
    }

    /// The words that the page has, too.
    #[test]
    fn an_urgent_email_says_so_first_and_its_subject_does_not() {
        let compose = |language, is_urgent| {
            let content = NotificationContent {
                children: vec![ContentOfChild {
                    is_urgent,
                    ..of_child("Mia", &[(NotifiableKind::Reviewer, 1)])
                }],
                covered: Covered::default(),
            };
            let to = "ada@example.org".parse().unwrap();
            draft(language, &content, "https://porchlight.example/").to(None, &to)
        };
        for (language, word) in [
            (Language::En, "Please look now."),
            (Language::De, "Bitte jetzt nachsehen."),
            (Language::Fr, "À voir maintenant."),
            (Language::Es, "Míralo ahora."),
        ] {
            let [urgent, other] = [true, false].map(|is_urgent| compose(language, is_urgent));
            let straight = word.replace('’', "'");
            assert_eq!(urgent.text.split("\n\n").nth(1), Some(&*straight));
            assert!(urgent.html.contains(word) && urgent.is_urgent);
            assert!(!other.html.contains(word) && !other.is_urgent);
            assert_eq!(urgent.subject, other.subject);
        }
    }
}
