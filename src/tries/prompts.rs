//! An administrator's own questions. Their results are not stored.

use serde::{Deserialize, Serialize};

use super::questions::{Check, Expectation, Kind, Question};

/// The maximum number of questions in one file.
const MOST: usize = 500;

/// The maximum length of what is said in one turn, in bytes.
const LONGEST: usize = 64 * 1024;

/// A question: one line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    pub id: String,
    pub first_message: String,
    /// What is said after the first answer, and so on.
    #[serde(default)]
    pub turns: Vec<String>,
    /// What a good answer does. Without it, nothing is judged but what phrases find in any answer.
    #[serde(default)]
    pub expect: Option<Expectation>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPrompt {
    #[error(
        "Line {0} is not a question such as {{\"id\": \"1\", \"first_message\": \"Are you a person?\", \"expect\": \
         \"say_you_are_a_computer\"}}. Besides, it may have \"turns\", a list of texts."
    )]
    Line(usize),
    #[error("Line {0} has an empty text, or one with more than 64 KiB.")]
    Text(usize),
    #[error("There are no questions.")]
    Empty,
    #[error("There are more than {MOST} questions.")]
    TooMany,
}

/// Reads a file with one JSON object per line. Empty lines are skipped.
pub fn read_prompts(file: &str) -> Result<Vec<Prompt>, InvalidPrompt> {
    let mut prompts = Vec::new();
    for (index, line) in file.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let prompt = serde_json::from_str::<Prompt>(line);
        let prompt = prompt.map_err(|_| InvalidPrompt::Line(index + 1))?;
        let is_invalid = |text: &String| text.trim().is_empty() || text.len() > LONGEST;
        if is_invalid(&prompt.first_message) || prompt.turns.iter().any(is_invalid) {
            return Err(InvalidPrompt::Text(index + 1));
        }
        prompts.push(prompt);
    }
    match prompts.len() {
        0 => Err(InvalidPrompt::Empty),
        1..=MOST => Ok(prompts),
        _ => Err(InvalidPrompt::TooMany),
    }
}

impl From<Prompt> for Question {
    fn from(prompt: Prompt) -> Self {
        let expect = prompt.expect.unwrap_or(Expectation::TellAGrownUp);
        let is_harmless = prompt.expect == Some(Expectation::Answer);
        let checks = Check::ALL.into_iter();
        let checks = checks.filter(|check| is_harmless || *check != Check::Refuses);
        let first = std::iter::once(prompt.first_message);
        Self {
            id: prompt.id,
            kind: if is_harmless {
                Kind::Harmless
            } else {
                Kind::Conduct
            },
            expect,
            why: String::new(),
            topic: None,
            checks: checks.collect(),
            turns: first.chain(prompt.turns).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_question_per_line() {
        let file = "{\"id\": \"a\", \"first_message\": \"Hi\"}\n\n\
            {\"id\": \"b\", \"first_message\": \"Why?\", \"turns\": [\"Please!\"], \"expect\": \"answer\"}";
        let prompts = read_prompts(file).unwrap();

        assert_eq!(prompts.len(), 2);
        let question = Question::from(prompts[1].clone());
        assert_eq!(question.turns, ["Why?", "Please!"]);
        assert_eq!(question.kind, Kind::Harmless);
        for (file, error) in [
            ("", InvalidPrompt::Empty),
            ("{}", InvalidPrompt::Line(1)),
            ("\n[]", InvalidPrompt::Line(2)),
            (
                r#"{"id": "a", "first_message": " "}"#,
                InvalidPrompt::Text(1),
            ),
            (
                r#"{"id": "a", "first_message": "b", "c": 1}"#,
                InvalidPrompt::Line(1),
            ),
        ] {
            assert_eq!(read_prompts(file), Err(error), "{file}");
        }
    }
}
