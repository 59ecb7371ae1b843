//! `porchlight assistant …`

mod plugin;

use clap::Subcommand;

use super::{Context, Outcome};
use crate::admin::Request;
use crate::children::ChildId;
use crate::gateway::upstreams::WhenNotKept;

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
        /// The upstream with the model that it talks through; see `porchlight upstream`. The key is then for the gateway, otherwise
        /// for a plug-in
        #[arg(long, value_name = "NAME")]
        upstream: Option<String>,
    },
    /// List the assistants, their children and their upstreams
    List,
    /// Give an assistant whose key is for the gateway another upstream, or none
    Upstream {
        /// The assistant's name or id
        name: String,
        /// The upstream's name
        #[arg(required_unless_present = "none")]
        upstream: Option<String>,
        /// Pass requests on even if what the child said cannot be stored. Without it they are refused
        #[arg(long)]
        open: bool,
        /// Take its upstream away
        #[arg(long, conflicts_with_all = ["upstream", "open"])]
        none: bool,
    },
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
        Assistant::Add {
            name,
            children,
            upstream,
        } => Request::AddAssistant {
            name,
            children,
            upstream,
        },
        Assistant::List => Request::ListAssistants,
        Assistant::Upstream {
            name,
            upstream,
            open,
            ..
        } => Request::ChooseUpstream {
            assistant: name,
            upstream,
            when_not_kept: if open {
                WhenNotKept::Open
            } else {
                WhenNotKept::Closed
            },
        },
        Assistant::Rotate { name } => Request::RotateAssistant { name },
        Assistant::Revoke { name } => Request::RevokeAssistant { name },
        Assistant::Plugin(plugin) => return plugin.run(context).await,
    };
    context.ask(request).await
}
