//! `porchlight openapi`

use std::fs;
use std::path::Path;

use clap::Args;

use super::{Outcome, output};
use crate::admin::AdminError;
use crate::server;

/// In the root of the repository.
const FILE: &str = "openapi.yaml";

#[derive(Args)]
pub struct Openapi {
    /// Write it to openapi.yaml in this folder, and a new version of the assistants' part to docs/
    #[arg(long)]
    write: bool,
}

fn write(file: &str, text: &str) -> Result<(), AdminError> {
    fs::write(file, text)
        .map_err(|error| AdminError::new(format!("{file} cannot be written: {error}.")))
}

pub async fn run(command: Openapi) -> Outcome {
    let contract = server::contract();
    if command.write {
        write(FILE, &contract)?;
        let (version, contract) = server::assistant_contract();
        let file = format!("docs/assistant-openapi-{version}.json");
        // A version that is there already was promised not to change.
        if !Path::new(&file).exists() {
            write(&file, &contract)?;
        }
    } else {
        output::print(contract)
    }
    Ok(())
}
