//! `porchlight seed FILE`

use std::path::PathBuf;

use clap::Args;

use super::progress::Shown;
use super::{Context, Outcome};
use crate::admin::{AdminError, DEMO_FAMILY, Progress, Request};
use crate::kernel::text_file::text_of;

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
        Some(file) => text_of(&file).map_err(|error| {
            AdminError::new(format!("{} cannot be read: {error}.", file.display()))
        })?,
    };
    let shown = Shown::new("Importing");
    let show = |progress: Progress| shown.show(progress);
    let answer = context.answer(Request::Seed { text }, None, &show).await;
    drop(shown);
    context.print(&answer?)
}
