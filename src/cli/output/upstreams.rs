//! What the commands on upstreams print.

use super::rows::upstream_of;
use super::tables::counted;
use crate::admin::{AssistantEntry, UpstreamEntry};
use crate::kernel::words::plain;

/// How many of an upstream's models are printed. Some providers have hundreds.
const MOST_SHOWN: usize = 20;

pub(super) fn added(upstream: &UpstreamEntry) -> String {
    let name = plain(&upstream.name);
    format!(
        "Added {name}. See whether it answers with: porchlight upstream test {name}\n\
         Make a key for an app that uses it with: porchlight assistant add NAME --child ID --upstream {name}\n"
    )
}

pub(super) fn tested(name: &str, models: &[String], answered: Option<&str>) -> String {
    let name = plain(name);
    let shown = models.iter().take(MOST_SHOWN).map(|model| plain(model));
    let shown = shown.collect::<Vec<_>>().join(", ");
    let listed = match models.len() {
        0 => "no models".to_owned(),
        count @ ..=MOST_SHOWN => {
            format!("{}: {shown}", counted(count as u64, "model", "models"))
        }
        count => format!("{count} models: {shown} and {} more", count - MOST_SHOWN),
    };
    let asked = match answered {
        Some(model) => format!("{} answered a request.", plain(model)),
        None => {
            format!("No model was asked. To ask one: porchlight upstream test {name} --model MODEL")
        }
    };
    format!("{name} answers. It lists {listed}.\n{asked}\n")
}

pub(super) fn chosen(assistant: &AssistantEntry) -> String {
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
