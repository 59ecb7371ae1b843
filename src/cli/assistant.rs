//! `porchlight assistant …`

use clap::Subcommand;

use crate::admin::Request;
use crate::children::ChildId;

/// Voice assistants and their keys.
#[derive(Subcommand)]
pub enum Assistant {
    /// Add an assistant and print its key, once
    Add {
        /// What to call it
        name: String,
        /// The number of a child for whom it delivers; may be given more than once
        #[arg(long = "child", value_name = "ID", required = true)]
        children: Vec<ChildId>,
    },
    /// List the assistants and for whom they deliver
    List,
    /// Give an assistant a new key and print it, once; the old one ends at once
    Rotate {
        /// Which one
        name: String,
    },
    /// Remove an assistant; what it delivered stays
    Revoke {
        /// Which one
        name: String,
    },
}

impl From<Assistant> for Request {
    fn from(command: Assistant) -> Self {
        match command {
            Assistant::Add { name, children } => Self::AddAssistant { name, children },
            Assistant::List => Self::ListAssistants,
            Assistant::Rotate { name } => Self::RotateAssistant { name },
            Assistant::Revoke { name } => Self::RevokeAssistant { name },
        }
    }
}
