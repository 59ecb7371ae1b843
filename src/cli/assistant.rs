//! `porchlight assistant …`

mod plugin;

use clap::Subcommand;

use super::output::{Secret, numbers};
use super::{Context, Outcome};
use crate::admin::{
    AddAssistant, AssistantEntry, AssistantKey, ChooseUpstream, ListAssistants, RevokeAssistant,
    RotateAssistant,
};
use crate::identity::KeyKind;
use crate::kernel::host::words::plain;
use crate::models::StoreFailurePolicy;

/// Voice assistants and their keys.
#[derive(Subcommand)]
pub enum Assistant {
    /// Add an assistant and print its key, once
    Add(AddAssistant),
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
    Rotate(RotateAssistant),
    /// Remove an assistant; what it delivered stays
    Revoke(RevokeAssistant),
    /// Write the plug-in for a voice stack, or list the supported stacks
    Plugin(plugin::Plugin),
}

pub async fn run(context: &Context, command: Assistant) -> Outcome {
    match command {
        Assistant::Add(add) => context.ask_for_secret(add, key).await.map(drop),
        Assistant::List => {
            let heads = ["Name", "Children", "Upstream", "Added"];
            let empty = "There are no assistants yet. Add one with: porchlight assistant add NAME --child ID";
            context.list(ListAssistants, &heads, row, empty).await
        }
        Assistant::Upstream {
            name,
            upstream,
            open,
            ..
        } => {
            let choose = ChooseUpstream {
                assistant: name,
                upstream,
                when_not_kept: if open {
                    StoreFailurePolicy::Open
                } else {
                    StoreFailurePolicy::Closed
                },
            };
            context.ask(choose, chosen).await
        }
        Assistant::Rotate(rotate) => context.ask_for_secret(rotate, key).await.map(drop),
        Assistant::Revoke(revoke) => {
            let revoked = context.ask(revoke, |assistant| {
                format!(
                    "Removed {}. Its key ended at once; what it delivered stays.\n",
                    plain(&assistant.name)
                )
            });
            revoked.await
        }
        Assistant::Plugin(plugin) => plugin.run(context).await,
    }
}

fn key(made: &AssistantKey) -> Secret {
    let name = &made.assistant.name;
    Secret {
        secret: made.key.clone(),
        before: format!(
            "The key of {} is shown this once; keep it like a password:\n\n",
            plain(name)
        ),
        after: format!("\nIt delivers for {}.\n", numbers(&made.assistant.children)),
        if_unseen: format!(
            "The key of {name} is lost, because it is shown only once. Please make another: porchlight assistant rotate {name}"
        ),
    }
}

fn row(assistant: &AssistantEntry) -> Vec<String> {
    let day = assistant.added_at.map_or_else(
        || "-".to_owned(),
        |added_at| added_at.to_chrono().format("%Y-%m-%d").to_string(),
    );
    let name = if assistant.suspended {
        format!("{} (suspended)", assistant.name)
    } else {
        assistant.name.clone()
    };
    vec![
        name,
        numbers(&assistant.children),
        upstream_of(assistant),
        day,
    ]
}

/// The upstream of an assistant, and whether it is asked if what the child says can't be stored.
fn upstream_of(assistant: &AssistantEntry) -> String {
    match (&assistant.upstream, assistant.when_not_kept) {
        (None, _) if assistant.kind == Some(KeyKind::Gateway) => "none yet".to_owned(),
        (None, _) => "-".to_owned(),
        (Some(name), Some(StoreFailurePolicy::Open)) => format!("{name} (open)"),
        (Some(name), _) => name.clone(),
    }
}

fn chosen(assistant: &AssistantEntry) -> String {
    let name = plain(&assistant.name);
    if assistant.upstream.is_some() {
        format!(
            "{name} talks through {} from now on.\n",
            plain(&upstream_of(assistant))
        )
    } else {
        format!("{name} has no upstream any more.\n")
    }
}
