//! `porchlight seed FILE`

use std::path::PathBuf;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::{Context, Outcome};
use crate::admin::{AdminError, DEMO_FAMILY, Progress, Request};

/// What to bring in.
#[derive(Args)]
pub struct Seed {
    /// A JSON file with guardians, children and their sessions
    #[arg(required_unless_present = "demo", conflicts_with = "demo")]
    file: Option<PathBuf>,
    /// The demonstration family
    #[arg(long)]
    demo: bool,
}

pub async fn run(context: &Context, command: Seed) -> Outcome {
    let text = match command.file {
        None => DEMO_FAMILY.to_owned(),
        Some(file) => std::fs::read_to_string(&file).map_err(|error| {
            AdminError::new(format!("{} cannot be read: {error}.", file.display()))
        })?,
    };
    // Hidden by itself where standard error is no terminal.
    let bar = ProgressBar::no_length().with_style(style());
    let show = |progress: Progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    };
    let answer = context.answer(Request::Seed { text }, None, &show).await;
    bar.finish_and_clear();
    context.print(&answer?);
    Ok(())
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("Bringing in {wide_bar} {pos} of {len}")
        .expect("the template is well formed")
}
