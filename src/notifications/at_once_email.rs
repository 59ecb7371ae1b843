//! The e-mail that tells a guardian of alerts at once.

use super::arrivals;
use super::at_once::{Channel, compose_pending, with_outcome};
use super::rate_limit::GIVEN_UP_AFTER;
use super::servers::EMAIL;
use super::subscription::NotifiableKind;
use super::told::{ContentOfChild, Count, NotificationContent, Reading};
use super::unsubscribe::{Unsubscribing, Which};
use crate::identity::{GuardianId, Notices};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::clock::Clock;
use crate::kernel::host::words::{name_in_sentence, plain};
use crate::kernel::outgoing::mail::{Part, Template, escaped};
use crate::kernel::outgoing::queue::{Composed, Composer, Item, NoAnswer, Places, Policy};
use crate::kernel::store::{Change, StoreError};

/// The subject never says what it is about.
const ALERTS: Template = Template {
    subject: "Something to look at in Porchlight",
    text: include_str!("emails/alerts.txt"),
    html: include_str!("emails/alerts.html"),
};

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
        let Some(told) = compose_pending(change, &CHANNEL, &self.reading, &id.clone().into(), now)?
        else {
            return Ok(None);
        };
        let Some(guardian) = Notices::recipient(&self.reading.guardians, change, &id)? else {
            super::waiting::remove(change, CHANNEL.name, &id)?;
            return Ok(None);
        };
        let link = self.link(&told);
        let (text, html) = (in_text(&told), in_html(&told));
        let alerts = Part {
            name: "{alerts}",
            text: &text,
            html: &html,
        };
        let mut email = ALERTS.filled_with(
            guardian.name.as_deref(),
            &guardian.email,
            &[("{link}", &link)],
            &[alerts],
        );
        email.unsubscribe = self.unsubscribing.url(&guardian, Which::AtOnce);
        let whose = id.clone();
        let message = with_outcome(
            Composed::from(email).reported_to(move |change, arrival| {
                arrivals::note(change, EMAIL, Some(&whose), arrival)
            }),
            &CHANNEL,
            &self.reading,
            &self.clock,
            id.into(),
            told.covered,
        );
        Ok(Some(message))
    }
}

impl AlertsEmail {
    /// The page with the alerts of the first child.
    fn link(&self, told: &NotificationContent) -> String {
        let child = told.children.first().map(|of_child| of_child.child);
        let path = child.map_or_else(|| "/".to_owned(), |child| format!("/child/{child}/alerts"));
        self.addresses.for_links().page(&path)
    }
}

/// What happened, in a sentence.
fn sentence(child: &str, count: &Count) -> String {
    let Count {
        kind,
        count,
        is_more,
    } = count;
    let number = if *is_more {
        format!("at least {count}")
    } else {
        count.to_string()
    };
    match (kind, count) {
        (NotifiableKind::Phrase, 1) => {
            format!("A phrase that you watch for was said in {child}'s conversation.")
        }
        (NotifiableKind::Phrase, _) => {
            format!(
                "Phrases that you watch for were said in {child}'s conversations: {number} alerts."
            )
        }
        (NotifiableKind::OutsideTimes, 1) => {
            format!("{child} and an assistant talked while it was not allowed.")
        }
        (NotifiableKind::OutsideTimes, _) => {
            format!("{child} and an assistant talked while it was not allowed: {number} alerts.")
        }
        (NotifiableKind::Reviewer, 1) => {
            format!("An AI reader flagged something in {child}'s conversation. It can be wrong.")
        }
        (NotifiableKind::Reviewer, _) => format!(
            "An AI reader flagged something in {child}'s conversations: {number} alerts. It can be wrong."
        ),
    }
}

/// The lines of a child: what happened, and the quotes.
fn lines(of_child: &ContentOfChild) -> (Vec<String>, Vec<String>) {
    let sentences = of_child.counts.iter();
    let name = name_in_sentence(&of_child.name);
    let sentences = sentences.map(|count| sentence(&name, count));
    let quotes = of_child.quotes.iter();
    let quotes = quotes.map(|quote| format!("“{}”: {}", plain(&quote.phrase), plain(&quote.text)));
    (sentences.collect(), quotes.collect())
}

fn in_text(told: &NotificationContent) -> String {
    let mut paragraphs = Vec::new();
    for of_child in &told.children {
        let (sentences, quotes) = lines(of_child);
        paragraphs.extend(sentences);
        paragraphs.extend(quotes.iter().map(|quote| format!("  {quote}")));
    }
    paragraphs.join("\n\n")
}

fn in_html(told: &NotificationContent) -> String {
    let mut html = String::new();
    for of_child in &told.children {
        let (sentences, quotes) = lines(of_child);
        for sentence in sentences {
            let sentence = escaped(&sentence);
            html += &format!(
                "<p style=\"margin:0 0 12px 0;font-size:18px;line-height:26px;font-weight:600\">{sentence}</p>\n"
            );
        }
        for quote in quotes {
            let quote = escaped(&quote);
            html += &format!("<p style=\"margin:0 0 12px 16px\">{quote}</p>\n");
        }
    }
    html
}
