//! `porchlight seed FILE`

use std::path::PathBuf;

use clap::Args;

use super::output::counted;
use super::{Context, Outcome};
use crate::admin::{self, AdminError, DEMO_FAMILY};
use crate::kernel::host::text_file::text_of;

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
        None => DEMO_FAMILY.clone(),
        Some(file) => text_of(&file).map_err(|error| {
            AdminError::new(format!("{} cannot be read: {error}.", file.display()))
        })?,
    };
    let seeded = context.ask_showing("Importing", admin::Seed { text }, |seeded| {
        format!(
            "Brought in {} with {} and {}.\n",
            counted(seeded.children.len() as u64, "child", "children"),
            counted(seeded.sessions, "session", "sessions"),
            counted(seeded.messages, "message", "messages"),
        )
    });
    seeded.await
}
