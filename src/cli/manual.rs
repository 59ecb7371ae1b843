//! `porchlight manual`

use std::path::PathBuf;

use clap::Args;

use super::Outcome;
use crate::admin::AdminError;

#[derive(Args)]
pub struct Manual {
    /// An existing folder. Writes porchlight.1, and one page per command
    folder: PathBuf,
}

pub fn run(manual: &Manual, commands: clap::Command) -> Outcome {
    let written = clap_mangen::generate_to(commands, &manual.folder);
    written.map_err(|error| {
        let folder = manual.folder.display();
        AdminError::new(format!("{folder} cannot be written: {error}."))
    })
}
