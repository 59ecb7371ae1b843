//! `porchlight openapi`

use std::path::Path;

use clap::Args;

use super::{Outcome, output};
use crate::admin::AdminError;
use crate::server;

/// In the root of the repository.
const FILE: &str = "openapi.yaml";

#[derive(Args)]
pub struct Openapi {
    /// Write it to openapi.yaml in this folder
    #[arg(long)]
    write: bool,
}

pub async fn run(command: Openapi) -> Outcome {
    let contract = server::contract();
    if command.write {
        std::fs::write(Path::new(FILE), contract)
            .map_err(|error| AdminError::new(format!("{FILE} cannot be written: {error}.")))?
    } else {
        output::print(contract)
    }
    Ok(())
}
