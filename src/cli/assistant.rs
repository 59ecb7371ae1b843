//! `porchlight assistant …`

mod plugin;

use clap::Subcommand;

use super::{Context, Outcome};
use crate::admin::Request;
use crate::children::ChildId;

/// Voice assistants and their keys.
#[derive(Subcommand)]
pub enum Assistant {
    /// Add an assistant and print its key, once
    Add {
        /// The assistant's name
        name: String,
        /// The number of a child that the assistant talks with; may be given more than once
        #[arg(long = "child", value_name = "ID", required = true)]
        children: Vec<ChildId>,
    },
    /// List the assistants and their children
    List,
    /// Give an assistant a new key and print it, once; the old one becomes invalid at once
    Rotate {
        /// The assistant's name or id
        name: String,
    },
    /// Remove an assistant; what it delivered stays
    Revoke {
        /// The assistant's name or id
        name: String,
    },
    /// Write the plug-in for a voice stack, or list the supported stacks
    Plugin(plugin::Plugin),
}

pub async fn run(context: &Context, command: Assistant) -> Outcome {
    let request = match command {
        Assistant::Add { name, children } => Request::AddAssistant { name, children },
        Assistant::List => Request::ListAssistants,
        Assistant::Rotate { name } => Request::RotateAssistant { name },
        Assistant::Revoke { name } => Request::RevokeAssistant { name },
        Assistant::Plugin(plugin) => return plugin.run(context).await,
    };
    context.ask(request).await
}
