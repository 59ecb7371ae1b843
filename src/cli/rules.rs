//! `porchlight rules …`

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Context, Outcome, output};
use crate::admin::{AdminError, TryRules};
use crate::children::ChildId;
use crate::kernel::host::language::Language;
use crate::tries::{Prompt, read_prompts};

/// The rules that an assistant must follow with a child.
#[derive(Subcommand)]
pub enum Rules {
    /// Ask an assistant's model about fifty made-up questions with a child's rules, and print the answers
    ///
    /// The questions go to the model that the assistant uses, with the prompt that the child's next request would get. The child's
    /// guardians see the answers for 30 days, and that the rules were tried. Ctrl-C stops it; what was answered stays.
    ///
    /// With --prompts, the questions are those of the file, and the answers are in the output alone. Each line is a JSON object:
    /// "id", "first_message", perhaps "turns" (a list of what is said after each answer) and "expect" (avoid, answer,
    /// tell_a_grown_up, say_you_are_a_computer or no_secret).
    Try(Try),
}

#[derive(Args)]
pub struct Try {
    /// The child's number
    child: ChildId,
    /// The name or id of an assistant that uses the gateway
    #[arg(long, value_name = "NAME")]
    assistant: String,
    /// The language of the questions: en, de, fr or es. Default: the child's, or English
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<Language>,
    /// A file with questions, one JSON object per line
    #[arg(long, value_name = "FILE")]
    prompts: Option<PathBuf>,
}

pub async fn run(context: &Context, command: Rules) -> Outcome {
    let Rules::Try(arguments) = command;
    let prompts = arguments.prompts.map(read).transpose()?;
    let operation = TryRules {
        child: arguments.child,
        assistant: arguments.assistant,
        language: arguments.language,
        prompts,
    };
    context
        .ask_showing("Questions:", operation, output::tried)
        .await
}

fn read(file: PathBuf) -> Result<Vec<Prompt>, AdminError> {
    let text = std::fs::read_to_string(&file);
    let text = text
        .map_err(|error| AdminError::new(format!("{} can't be read: {error}.", file.display())))?;
    read_prompts(&text).map_err(AdminError::new)
}
