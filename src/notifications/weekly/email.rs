//! Composes the weekly e-mail.

use super::week::{ChildWeek, Week};
use super::words::{capitalized, counted, duration, grouped, joined};
use crate::alerts::{AboutAssistant, AssistantNews, MOST_COUNTED};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::kernel::host::words::{in_sentence, name_in_sentence};
use crate::kernel::host::zones::Zone;
use crate::kernel::outgoing::mail::{Email, EmailAddress, Fragment, Template};

const SUBJECT: &str = "Your week on Porchlight";

const WEEKLY: Template = Template {
    subject: SUBJECT,
    text: include_str!("../emails/weekly.txt"),
    html: include_str!("../emails/weekly.html"),
};

/// For a week in which nothing happened.
const QUIET: Template = Template {
    subject: SUBJECT,
    text: include_str!("../emails/weekly_quiet.txt"),
    html: include_str!("../emails/weekly_quiet.html"),
};

const CHILD_TEXT: &str = include_str!("../emails/weekly_child.txt");
const CHILD: &str = include_str!("../emails/weekly_child.html");
const FIGURE: &str = include_str!("../emails/weekly_figure.html");
const BEFORE: &str = include_str!("../emails/weekly_before.html");
const BAR: &str = include_str!("../emails/weekly_bar.html");
const BAR_BEFORE: &str = include_str!("../emails/weekly_bar_before.html");
const COUNTS: &str = include_str!("../emails/weekly_counts.html");
const TOPICS: &str = include_str!("../emails/weekly_topics.html");
const NOTE: &str = include_str!("../emails/weekly_note.html");

/// The maximum number of topics of a child.
const MOST_TOPICS: usize = 5;

/// The maximum length of a topic, in characters.
const LONGEST_TOPIC: usize = 60;

/// The maximum number of sentences about a child's assistants.
const MOST_NOTES: usize = 8;

/// The recipient, and what may be in the e-mail.
pub struct Recipient<'a> {
    pub name: Option<&'a str>,
    pub email: &'a EmailAddress,
    /// Whether the guardian wants topics in e-mails.
    pub with_words: bool,
}

/// Composes the e-mail of a week. `link` is its only link.
pub fn email(to: &Recipient<'_>, week: &Week, link: &str) -> Email {
    let span = week.first.span_in_words(week.last, Language::En);
    if week.is_quiet() {
        let names = week.children.iter().map(|child| shown_name(&child.name));
        let sentence = format!(
            "A quiet week: from {span} there were no conversations and no alerts for {}.",
            joined(names.collect())
        );
        let values = [("{sentence}", sentence.as_str()), ("{link}", link)];
        return QUIET.filled(to.name, to.email, &values);
    }
    let lengths = week.children.iter().flat_map(|child| {
        let before = child.seconds_before.unwrap_or(0);
        [child.figures.seconds, before]
    });
    let longest = lengths.max().unwrap_or(0);
    let mut children = Fragment::default();
    for child in &week.children {
        children.push(&of_child(child, &week.zone, longest, to.with_words));
    }
    if let Some(sentence) = left_out(week) {
        children.push(&Fragment::filled(
            "{words}\n\n",
            &CHILD.replace("{lines}", "").replace("{name}", "{words}"),
            &[("{words}", &sentence)],
            &[],
        ));
    }
    let values = [("{span}", span.as_str()), ("{link}", link)];
    let parts = [children.part("{children}")];
    WEEKLY.filled_with(to.name, to.email, &values, &parts)
}

fn left_out(week: &Week) -> Option<String> {
    let more = match week.more_children {
        0 => None,
        1 => Some("One more child is in Porchlight.".to_owned()),
        more => Some(format!("{more} more children are in Porchlight.")),
    };
    let unreadable = match week.unreadable_children {
        0 => None,
        1 => Some("The data of one child can't be read.".to_owned()),
        many => Some(format!("The data of {many} children can't be read.")),
    };
    let sentences = [more, unreadable].into_iter().flatten();
    let sentences = sentences.collect::<Vec<_>>().join(" ");
    (!sentences.is_empty()).then_some(sentences)
}

/// A child's part. `longest` is the length of the longest bar, in seconds.
fn of_child(child: &ChildWeek, zone: &Zone, longest: u64, with_topics: bool) -> Fragment {
    let name = shown_name(&child.name);
    let mut lines = Fragment::default();
    let (now, before) = (child.figures.seconds, child.seconds_before.unwrap_or(0));
    let before_words = format!("The week before: {}", duration(before));
    lines.push(&line(FIGURE, &headline(child)));
    lines.push(&bar(BAR, now, longest));
    if child.seconds_before.is_some() && !(child.is_without_talk() && before == 0) {
        lines.push(&line(BEFORE, &before_words));
        lines.push(&bar(BAR_BEFORE, before, longest));
    }
    lines.push(&counts(child));
    let topics = topics(&child.figures.topics);
    if with_topics && let Some(topics) = topics {
        lines.push(&Fragment::filled(
            "  What it was about: {topics}\n",
            TOPICS,
            &[("{topics}", &topics)],
            &[],
        ));
    }
    for note in notes(child, &name, zone) {
        lines.push(&Fragment::filled(
            "  ! {words}\n",
            NOTE,
            &[("{words}", &note)],
            &[],
        ));
    }
    let values = [("{name}", name.as_str())];
    Fragment::filled(CHILD_TEXT, CHILD, &values, &[lines.part("{lines}")])
}

fn line(html: &str, words: &str) -> Fragment {
    Fragment::filled("  {words}\n", html, &[("{words}", words)], &[])
}

/// A bar without text; nothing if there is nothing to show.
fn bar(html: &str, seconds: u64, longest: u64) -> Fragment {
    if seconds == 0 || longest == 0 {
        return Fragment::default();
    }
    let percent = (seconds * 100 / longest).max(2).to_string();
    Fragment::filled("", html, &[("{percent}", &percent)], &[])
}

fn headline(child: &ChildWeek) -> String {
    if child.is_without_talk() {
        return "No conversations".to_owned();
    }
    let length = duration(child.figures.seconds.max(1));
    format!("{} of conversation", capitalized(&length))
}

/// How many conversations and alerts there were. Alerts stand out.
fn counts(child: &ChildWeek) -> Fragment {
    let (alerts, weight) = match child.happened.ringing {
        0 => ("no alerts".to_owned(), "400"),
        many if many >= MOST_COUNTED => {
            (format!("{} or more alerts", grouped(MOST_COUNTED)), "600")
        }
        some => (counted(some, "alert"), "600"),
    };
    let (conversations, alerts) = match child.figures.sessions {
        // The headline says that there were none.
        0 if child.is_without_talk() => (String::new(), capitalized(&alerts)),
        0 => ("No new conversations, ".to_owned(), alerts),
        some => (counted(some, "conversation") + ", ", alerts),
    };
    let values = [
        ("{conversations}", conversations.as_str()),
        ("{alerts}", &alerts),
        ("{weight}", weight),
    ];
    Fragment::filled("  {conversations}{alerts}\n", COUNTS, &values, &[])
}

fn topics(all: &[String]) -> Option<String> {
    let shown = all.iter().map(|topic| in_sentence(&cut(topic)));
    let mut shown = shown.filter(|topic| !topic.is_empty()).collect::<Vec<_>>();
    let more = shown.len().saturating_sub(MOST_TOPICS);
    shown.truncate(MOST_TOPICS);
    if more > 0 {
        shown.push(format!("{more} more"));
        return Some(joined(shown));
    }
    (!shown.is_empty()).then(|| shown.join(", "))
}

/// A topic that is too long, shortened.
fn cut(topic: &str) -> String {
    if topic.chars().count() <= LONGEST_TOPIC {
        return topic.to_owned();
    }
    let start = topic.chars().take(LONGEST_TOPIC - 1).collect::<String>();
    format!("{}…", start.trim_end())
}

/// What is wrong with the child's assistants, and what could not be read.
fn notes(child: &ChildWeek, name: &str, zone: &Zone) -> Vec<String> {
    let assistants = &child.happened.assistants;
    let mut notes = assistants
        .iter()
        .take(MOST_NOTES)
        .map(|about| about_assistant(about, name, zone))
        .collect::<Vec<_>>();
    let more = assistants.len().saturating_sub(MOST_NOTES) as u64;
    if more > 0 {
        notes.push(format!(
            "{} about assistants in Porchlight.",
            capitalized(&counted(more, "more notice"))
        ));
    }
    if child.unreadable() > 0 {
        notes.push(format!(
            "Some of what is kept about {name} can't be read, so these numbers may be too low."
        ));
    }
    notes
}

fn about_assistant(about: &AboutAssistant, child: &str, zone: &Zone) -> String {
    let assistant = about.name.as_deref().map(name_in_sentence);
    let assistant = assistant.filter(|name| !name.is_empty());
    let who = assistant.as_deref().unwrap_or("An assistant");
    let day = |since: Timestamp| zone.day_of(since).with_weekday(Language::En);
    match about.news {
        AssistantNews::Silent { since } => format!(
            "{who} has not connected since {}, so {child}'s conversations there may be missing.",
            day(since)
        ),
        AssistantNews::AllSilent { since } => format!(
            "None of {child}'s assistants has connected since {}, so conversations may be missing.",
            day(since)
        ),
        AssistantNews::Refused { conversations: 1 } => {
            format!("{who} refused your current rules for {child}.")
        }
        AssistantNews::Refused { conversations } => format!(
            "{who} refused your current rules for {child} in {}.",
            counted(conversations, "conversation")
        ),
        AssistantNews::Unconfirmed { minutes } => format!(
            "{who} talked with {child} for {} without confirming your current rules.",
            duration(minutes * 60)
        ),
        AssistantNews::NotKept { messages } => {
            let with = assistant.as_deref().unwrap_or("an assistant");
            format!(
                "{} from {child}'s conversations with {with} could not be saved.",
                capitalized(&counted(messages, "message"))
            )
        }
    }
}

fn shown_name(name: &str) -> String {
    let name = name_in_sentence(name);
    if name.is_empty() {
        "Your child".to_owned()
    } else {
        name
    }
}

#[cfg(test)]
mod tests;
