//! Requests that a program makes for itself: titles, tags, follow-up questions, memories, connection checks.

use super::history::{Item, Kind};

/// Beginnings of system prompts that well-known programs use for requests of their own.
const SYSTEM_PROMPTS: [&str; 1] = [
    // Home Assistant's AI tasks.
    "You are a Home Assistant expert and help users with their tasks",
];

/// Texts that well-known programs send in the user's name, in addition to the user's words.
const PROMPTS_AS_USER: [&str; 2] = [
    // The Home Assistant integration hass_local_openai_llm, with "content injected as user".
    "# Contextual information to assist with the following user request",
    // xiaozhi asks for a goodbye when nobody speaks any more. Its text can be configured; this is the end of the default.
    "来结束这场对话吧",
];

/// Marks around a conversation that is quoted to the model.
const QUOTATION_MARKS: [&str; 3] = ["<chat_history>", "<conversation>", "<transcript>"];

/// The names of speakers with which the lines of a quoted conversation begin.
const SPEAKERS: [&str; 6] = ["user", "human", "child", "assistant", "ai", "bot"];

/// An answer of at most this many tokens is a check of the connection.
const PROBE_TOKENS: u64 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackgroundReason {
    /// A header names a task.
    TaskHeader,
    /// The system prompt is a well-known program's.
    KnownPrompt,
    /// The answer may only have a few tokens.
    Probe,
    /// The request demands structured output, and there is no history.
    StructuredOutput,
    /// The only message quotes a conversation.
    Quotation,
}

/// What a request demands of the answer.
#[derive(Clone, Copy, Default)]
pub struct AnswerOptions {
    pub max_tokens: Option<u64>,
    pub is_structured: bool,
}

/// The properties of a request that show whether it is the program's own.
pub struct Features<'a> {
    pub has_task_header: bool,
    pub system: &'a str,
    pub options: AnswerOptions,
    pub history: &'a [Item],
}

impl Features<'_> {
    /// `None` if the request alone doesn't show that it is the program's own.
    pub fn reason(&self) -> Option<BackgroundReason> {
        if self.has_task_header {
            return Some(BackgroundReason::TaskHeader);
        }
        if SYSTEM_PROMPTS
            .iter()
            .any(|known| self.system.contains(known))
        {
            return Some(BackgroundReason::KnownPrompt);
        }
        if matches!(self.options.max_tokens, Some(1..=PROBE_TOKENS)) {
            return Some(BackgroundReason::Probe);
        }
        match self.history {
            [] if self.options.is_structured => Some(BackgroundReason::StructuredOutput),
            [only] if only.kind == Kind::User && self.options.is_structured => {
                Some(BackgroundReason::StructuredOutput)
            }
            [only] if only.kind == Kind::User => {
                quotes_a_conversation(&only.text).then_some(BackgroundReason::Quotation)
            }
            _ => None,
        }
    }
}

fn quotes_a_conversation(text: &str) -> bool {
    QUOTATION_MARKS.iter().any(|mark| text.contains(mark))
        || text.lines().filter(|line| is_labelled(line)).count() >= 2
}

/// Whether a line begins with a speaker's name and a colon.
fn is_labelled(line: &str) -> bool {
    let line = line.trim_start_matches(|character: char| !character.is_alphanumeric());
    let Some((label, _)) = line.split_once([':', '：']) else {
        return false;
    };
    let label = label.trim_end();
    SPEAKERS.iter().any(|name| label.eq_ignore_ascii_case(name))
}

/// Whether a text in the user's name was written by a program.
pub fn is_programs_own(text: &str) -> bool {
    PROMPTS_AS_USER.iter().any(|known| text.contains(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(change: impl FnOnce(&mut Features<'_>)) -> Option<BackgroundReason> {
        let history = [Item::user("Hello!")];
        let mut features = Features {
            has_task_header: false,
            system: "You are friendly.",
            options: AnswerOptions::default(),
            history: &history,
        };
        change(&mut features);
        features.reason()
    }

    #[test]
    fn a_childs_first_words_are_no_background() {
        assert_eq!(reason(|_| {}), None);
        assert_eq!(reason(|it| it.options.max_tokens = Some(9)), None);
        // OpenAI's older API reads 0 as no limit.
        assert_eq!(reason(|it| it.options.max_tokens = Some(0)), None);
    }

    #[test]
    fn a_programs_own_requests_are_background() {
        use BackgroundReason::*;
        assert_eq!(reason(|it| it.has_task_header = true), Some(TaskHeader));
        assert_eq!(reason(|it| it.options.max_tokens = Some(8)), Some(Probe));
        assert_eq!(
            reason(|it| it.options.is_structured = true),
            Some(StructuredOutput)
        );
        assert_eq!(
            reason(|it| it.system = SYSTEM_PROMPTS[0]),
            Some(KnownPrompt)
        );
    }

    #[test]
    fn structured_output_with_history_is_the_childs() {
        let history = [
            Item::user("Hello!"),
            Item::assistant("Hi!").unwrap(),
            Item::user("A joke."),
        ];
        let structured = Features {
            has_task_header: false,
            system: "",
            options: AnswerOptions {
                max_tokens: None,
                is_structured: true,
            },
            history: &history,
        };
        assert_eq!(structured.reason(), None);
    }

    #[test]
    fn a_quoted_conversation_is_recognised() {
        for (text, expected) in [
            ("User: Hi\nAssistant: Hello", true),
            ("* **USER**： Hi\n- ai : Hello", false),
            ("* USER： Hi\n- ai : Hello", true),
            (
                "### Task:\nA title\n<chat_history>\nhi\n</chat_history>",
                true,
            ),
            ("Assistant: is a word", false),
            ("What is a user?\nAnd an assistant?", false),
            ("My shopping list:\nmilk: 2\neggs: 6", false),
        ] {
            assert_eq!(quotes_a_conversation(text), expected, "{text}");
        }
    }

    #[test]
    fn prompts_in_the_users_name_are_known() {
        assert!(is_programs_own("请你以\"再见\"来结束这场对话吧！\n"));
        assert!(!is_programs_own("Let us end this."));
    }
}
