//! Composes the weekly e-mail.

use super::week::{ChildWeek, Week};
use crate::alerts::{AboutAssistant, AssistantNews, MOST_COUNTED};
use crate::kernel::host::language::Language;
use crate::kernel::host::texts::{Args, capitalized, counted, duration, grouped, joined, text};
use crate::kernel::host::words::{said_in_sentence, visible_name_in_sentence};
use crate::kernel::host::zones::Zone;
use crate::kernel::outgoing::mail::{Draft, Fragment, LinkInText};

const CHILD: &str = include_str!("email/html/child.html");
const FIGURE: &str = include_str!("email/html/figure.html");
const BEFORE: &str = include_str!("email/html/before.html");
const BAR: &str = include_str!("email/html/bar.html");
const BAR_BEFORE: &str = include_str!("email/html/bar_before.html");
const COUNTS: &str = include_str!("email/html/counts.html");
const TOPICS: &str = include_str!("email/html/topics.html");
const NOTE: &str = include_str!("email/html/note.html");

/// The maximum number of topics of a child.
const MOST_TOPICS: usize = 5;

/// The maximum length of a topic, in characters.
const LONGEST_TOPIC: usize = 60;

/// The maximum number of sentences about a child's assistants.
const MOST_NOTES: usize = 8;

/// Composes the e-mail of a week. `link` is its only link; `with_topics` is whether the guardian wants topics in e-mails.
pub fn draft(language: Language, week: &Week, with_topics: bool, link: &str) -> Draft {
    let words = Words(language);
    let mut draft = Draft::new(language, "weekly-subject");
    let span = week.first.span_in_words(week.last, language);
    let span = ("span", span.into());
    if week.is_quiet() {
        let names = week.children.iter();
        let names = names.map(|child| words.shown_name(&child.name));
        let names = joined(language, names.collect());
        let sentence = words.with("weekly-quiet", &[span, ("children", names.into())]);
        draft = draft.paragraph(sentence);
    } else {
        draft = draft.paragraph(words.with("weekly-week", &[span]));
        draft = draft.rows(words.children(week, with_topics));
    }
    draft
        .link("weekly-button", link, LinkInText::Beside)
        .note(words.text("weekly-chosen"))
}

/// Composes in one language.
#[derive(Clone, Copy)]
struct Words(Language);

impl Words {
    fn text(self, key: &str) -> String {
        text(self.0, key, &[])
    }

    fn with(self, key: &str, args: Args<'_>) -> String {
        text(self.0, key, args)
    }

    fn counted(self, key: &str, count: u64) -> String {
        counted(self.0, key, count)
    }

    /// [`Self::counted`] with other values, too.
    fn counted_with(self, key: &str, count: u64, args: Args<'_>) -> String {
        let number = grouped(self.0, count);
        let mut all = vec![("count", count.into()), ("number", number.into())];
        all.extend_from_slice(args);
        text(self.0, key, &all)
    }

    fn duration(self, seconds: u64) -> String {
        duration(self.0, seconds)
    }

    fn shown_name(self, name: &str) -> String {
        visible_name_in_sentence(name).unwrap_or_else(|| self.text("weekly-your-child"))
    }

    fn children(self, week: &Week, with_topics: bool) -> Fragment {
        let lengths = week.children.iter().flat_map(|child| {
            let before = child.seconds_before.unwrap_or(0);
            [child.figures.seconds, before]
        });
        let longest = lengths.max().unwrap_or(0);
        let mut children = Fragment::default();
        for child in &week.children {
            children.push(&self.child(child, &week.zone, longest, with_topics));
        }
        if let Some(sentence) = self.left_out(week) {
            let rows = Fragment::default();
            children.push(&section("{words}\n\n", &sentence, &rows));
        }
        children
    }

    fn left_out(self, week: &Week) -> Option<String> {
        let counted = |key, count| (count > 0).then(|| self.counted(key, count));
        let more = counted("weekly-more-children", week.more_children as u64);
        let unreadable = counted("weekly-unreadable-children", week.unreadable_children);
        let sentences = [more, unreadable].into_iter().flatten();
        let sentences = sentences.collect::<Vec<_>>().join(" ");
        (!sentences.is_empty()).then_some(sentences)
    }

    /// A child's part. `longest` is the length of the longest bar, in seconds.
    fn child(self, child: &ChildWeek, zone: &Zone, longest: u64, with_topics: bool) -> Fragment {
        let name = self.shown_name(&child.name);
        let mut lines = Fragment::default();
        let (now, before) = (child.figures.seconds, child.seconds_before.unwrap_or(0));
        lines.push(&line(FIGURE, &self.headline(child)));
        lines.push(&bar(BAR, now, longest));
        if child.seconds_before.is_some() && !(child.is_without_talk() && before == 0) {
            let length = self.duration(before);
            let before_words = self.with("weekly-before", &[("length", length.into())]);
            lines.push(&line(BEFORE, &before_words));
            lines.push(&bar(BAR_BEFORE, before, longest));
        }
        lines.push(&self.counts(child));
        let topics = self.topics(&child.figures.topics);
        if with_topics && let Some(topics) = topics {
            lines.push(&self.about(topics));
        }
        for note in self.notes(child, &name, zone) {
            let values = [("{words}", note.as_str())];
            lines.push(&Fragment::filled("  ! {words}\n", NOTE, &values, &[]));
        }
        section("{words}\n{lines}\n", &name, &lines)
    }

    fn about(self, topics: String) -> Fragment {
        let label = self.text("weekly-topics");
        let args = [
            ("label", label.as_str().into()),
            ("value", topics.as_str().into()),
        ];
        let in_text = self.with("label-and-value", &args);
        let values = [
            ("{label}", label.as_str()),
            ("{topics}", &topics),
            ("{in_text}", &in_text),
        ];
        Fragment::filled("  {in_text}\n", TOPICS, &values, &[])
    }

    fn headline(self, child: &ChildWeek) -> String {
        if child.is_without_talk() {
            return self.text("weekly-no-talk");
        }
        let length = self.duration(child.figures.seconds.max(1));
        let talk = self.with("weekly-talk", &[("length", length.into())]);
        capitalized(&talk)
    }

    /// How many conversations and alerts there were. Alerts stand out.
    fn counts(self, child: &ChildWeek) -> Fragment {
        let alerts = child.happened.notifiable;
        let weight = if alerts == 0 { "400" } else { "600" };
        let alerts = if alerts >= MOST_COUNTED {
            let number = grouped(self.0, MOST_COUNTED);
            self.with("weekly-many-alerts", &[("number", number.into())])
        } else {
            self.counted("weekly-alerts", alerts)
        };
        let (conversations, alerts) = match child.figures.sessions {
            // The headline says that there were none.
            0 if child.is_without_talk() => (String::new(), capitalized(&alerts)),
            0 => (self.text("weekly-no-new-conversations") + ", ", alerts),
            some => (self.counted("weekly-conversations", some) + ", ", alerts),
        };
        let values = [
            ("{conversations}", conversations.as_str()),
            ("{alerts}", &alerts),
            ("{weight}", weight),
        ];
        Fragment::filled("  {conversations}{alerts}\n", COUNTS, &values, &[])
    }

    fn topics(self, all: &[String]) -> Option<String> {
        let shown = all.iter().map(|topic| said_in_sentence(&cut(topic)));
        let mut shown = shown.filter(|topic| !topic.is_empty()).collect::<Vec<_>>();
        let more = shown.len().saturating_sub(MOST_TOPICS);
        shown.truncate(MOST_TOPICS);
        if more > 0 {
            shown.push(self.counted("weekly-more-topics", more as u64));
            return Some(joined(self.0, shown));
        }
        (!shown.is_empty()).then(|| shown.join(", "))
    }

    /// What is wrong with the child's assistants, and what could not be read.
    fn notes(self, child: &ChildWeek, name: &str, zone: &Zone) -> Vec<String> {
        let assistants = &child.happened.assistants;
        let mut notes = assistants
            .iter()
            .take(MOST_NOTES)
            .map(|about| self.about_assistant(about, name, zone))
            .collect::<Vec<_>>();
        let more = assistants.len().saturating_sub(MOST_NOTES) as u64;
        if more > 0 {
            notes.push(self.counted("weekly-more-notices", more));
        }
        if child.unreadable() > 0 {
            notes.push(self.with("weekly-unreadable", &[("child", name.into())]));
        }
        notes
    }

    fn about_assistant(self, about: &AboutAssistant, child: &str, zone: &Zone) -> String {
        let assistant = about.name.as_deref().and_then(visible_name_in_sentence);
        let named = |unknown| assistant.clone().unwrap_or_else(|| self.text(unknown));
        let who = ("assistant", named("weekly-assistant").into());
        let child = ("child", child.into());
        let day = |since| {
            let day = zone.day_of(since).with_weekday(self.0);
            ("day", day.into())
        };
        match about.news {
            AssistantNews::Silent { since } => {
                self.with("weekly-silent", &[who, child, day(since)])
            }
            AssistantNews::AllSilent { since } => {
                self.with("weekly-all-silent", &[child, day(since)])
            }
            AssistantNews::Refused { conversations } => {
                self.counted_with("weekly-refused", conversations, &[who, child])
            }
            AssistantNews::Unconfirmed { minutes } => {
                let length = ("length", self.duration(minutes * 60).into());
                self.with("weekly-unconfirmed", &[who, child, length])
            }
            AssistantNews::NotKept { messages } => {
                let with = ("assistant", named("weekly-assistant-after-with").into());
                self.counted_with("weekly-not-saved", messages, &[child, with])
            }
        }
    }
}

/// A section with a heading and lines.
fn section(in_text: &str, heading: &str, lines: &Fragment) -> Fragment {
    let values = [("{words}", heading)];
    Fragment::filled(in_text, CHILD, &values, &[lines.part("{lines}")])
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

/// A topic that is too long, shortened.
fn cut(topic: &str) -> String {
    if topic.chars().count() <= LONGEST_TOPIC {
        return topic.to_owned();
    }
    let start = topic.chars().take(LONGEST_TOPIC - 1).collect::<String>();
    format!("{}…", start.trim_end())
}

#[cfg(test)]
mod tests;
