//! The instructions for an assistant, as text for a system prompt.

use crate::kernel::host::language::Language;
use crate::rules::IssuedProfile;
use crate::rules::blocked_topics::{self, MANDATORY};

/// How to answer what the child may ask about this.
const TRUTH: &str = "If the child asks whether a parent can read what you talk about, answer truthfully and kindly: yes, the \
    child's parents can.";

/// What to do when talking is not allowed; how the assistant learns that differs between assistants.
const GOODBYE: &str = "The child's parents decide when you may talk with the child. When you are told that talking is not \
    allowed now, finish your sentence, say a short and kind goodbye in the child's own language, and stop. Do not begin anything \
    new, do not bargain, and do not make the child feel that it did something wrong. If the child asks why, say that it is time \
    for a break and that its parents can tell it more. One thing comes before this: if the child seems to be in danger, hurt or \
    in distress, first encourage the child to tell a grown-up they trust right away.";

/// How to speak with a child who speaks this language, if it is known.
fn manner(language: Option<Language>) -> String {
    let language = match language {
        None => "Speak with the child in the child's own language.".to_owned(),
        Some(language) => format!(
            "Speak {} with the child unless it speaks another language.",
            language.english_name()
        ),
    };
    format!("You are talking with a child. {language} {TRUTH}")
}

/// Text for a system prompt: how to speak with such a child, what the parents say about the child, when to stop, and the topics to
/// avoid: the mandatory ones and these.
pub fn instructions(profile: IssuedProfile, topics: &[String], context: Option<&str>) -> String {
    let context = context.map(|context| {
        format!(
            "This is what the child's parents want you to know. Use it, and do not read it out to the child:\n{context}"
        )
    });
    let own = topics.iter().map(String::as_str);
    let topics = blocked_topics::instructions(MANDATORY.into_iter().chain(own));
    let parts = [
        Some(manner(profile.language)),
        Some(profile.age.instructions()),
        context,
        Some(GOODBYE.to_owned()),
        Some(topics),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

/// Placeholders in a [`frame`] for the parents' own topics and for what they say about the child.
const TOPICS_PLACE: &str = "\u{e000}";
const CONTEXT_PLACE: &str = "\u{e001}";

/// The instructions with placeholders for the parents' texts.
pub(super) fn frame(profile: IssuedProfile, has_context: bool) -> String {
    let context = has_context.then_some(CONTEXT_PLACE);
    instructions(profile, &[TOPICS_PLACE.to_owned()], context)
}

/// Fills a frame with these topics and this context; `None` if the frame lacks a placeholder for them.
/// Stored frames of all versions of this program are filled this way.
pub(super) fn fill(frame: &str, topics: &[String], context: Option<&str>) -> Option<String> {
    let place = format!("; \"{TOPICS_PLACE}\"");
    let (before, behind) = frame.split_once(&place)?;
    let mut filled = match context {
        None => before.to_owned(),
        Some(context) => {
            let (first, second) = before.split_once(CONTEXT_PLACE)?;
            [first, context, second].concat()
        }
    };
    for topic in topics {
        filled += "; ";
        filled += &serde_json::Value::from(topic.as_str()).to_string();
    }
    filled += behind;
    Some(filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::age::IssuedAge;

    fn profile(age: IssuedAge, language: Option<Language>) -> IssuedProfile {
        IssuedProfile { age, language }
    }

    #[test]
    fn a_filled_frame_is_what_it_was_made_of() {
        let odd = ["\"\u{e000}\"", "a; \"b\"", "\u{e001}\n", "ß"].map(str::to_owned);
        for topics in [&[][..], &odd[..1], &odd[..]] {
            for context in [None, Some("Mia is \u{e000}\u{e001} eight.")] {
                for language in [None, Some(Language::De)] {
                    let profile = profile(IssuedAge::of(8), language);
                    let frame = frame(profile, context.is_some());

                    let filled = fill(&frame, topics, context);
                    let expected = instructions(profile, topics, context);
                    assert_eq!(filled, Some(expected));
                }
            }
        }
        assert_eq!(fill("Be kind.", &odd, None), None);
    }

    /// The maximum length of the instructions without the topics, in characters.
    const LONGEST: usize = 8_000;

    #[test]
    fn the_context_stands_between_the_manner_and_the_topics() {
        let ghosts = ["Ghosts".to_owned()];
        let eight = profile(IssuedAge::of(8), None);
        let text = instructions(eight, &ghosts, Some("Mia likes bees."));

        let places = [
            "own language",
            "8 years old",
            "Mia likes bees.",
            "goodbye",
            "\"Ghosts\"",
        ]
        .map(|part| text.find(part).unwrap());
        assert!(places.is_sorted(), "{text}");
        assert!(!instructions(IssuedProfile::UNKNOWN, &ghosts, None).contains("want you to know"));
    }

    #[test]
    fn besides_the_topics_they_stay_below_the_limit() {
        let context = "ä".repeat(crate::rules::context::LONGEST);

        for age in ages() {
            assert!(
                instructions(profile(age, Some(Language::Es)), &[], Some(&context))
                    .chars()
                    .count()
                    <= LONGEST
            );
        }
    }

    #[test]
    fn a_language_replaces_one_sentence_and_changes_nothing_else() {
        let ghosts = ["Ghosts".to_owned()];
        let text = |language| instructions(profile(IssuedAge::of(8), language), &ghosts, None);
        let unknown = "You are talking with a child. Speak with the child in the child's own language. If the child asks \
            whether a parent can read what you talk about, answer truthfully and kindly: yes, the child's parents can.\n\n";
        assert!(text(None).starts_with(unknown));

        for (language, name) in [
            (Language::En, "English"),
            (Language::De, "German"),
            (Language::Fr, "French"),
            (Language::Es, "Spanish"),
        ] {
            let named = format!("Speak {name} with the child unless it speaks another language.");
            let unnamed = "Speak with the child in the child's own language.";
            assert_eq!(text(Some(language)).replace(&named, unnamed), text(None));
        }
    }

    fn ages() -> impl Iterator<Item = IssuedAge> {
        (0..=30).map(IssuedAge::of).chain([IssuedAge::UNKNOWN])
    }

    #[test]
    fn an_age_changes_nothing_but_its_own_lines() {
        let ghosts = ["Ghosts".to_owned()];
        let context = Some("Mia likes bees.");
        let without = |age: IssuedAge| {
            let text = instructions(profile(age, None), &ghosts, context);
            let lines = format!("{}\n\n", age.instructions());
            assert_eq!(text.matches(&lines).count(), 1);
            text.replace(&lines, "")
        };

        for age in ages() {
            assert_eq!(without(age), without(IssuedAge::UNKNOWN), "{age:?}");
        }
    }
}
