//! Formats entries: as rows of a list, and as sentences about a single one.

use super::tables::{listed, numbers};
use crate::admin::{AssistantEntry, ChildEntry, GuardianEntry, UpstreamEntry};
use crate::gateway::upstreams::{UpstreamForm, WhenNotKept};
use crate::identity::KeyKind;
use crate::kernel::words::plain;

pub(super) fn guardian_row(guardian: &GuardianEntry) -> Vec<String> {
    let name = guardian.name.clone().unwrap_or_else(|| "-".to_owned());
    let email = if guardian.unverified {
        format!("{} (not confirmed, id {})", guardian.email, guardian.id)
    } else {
        guardian.email.to_string()
    };
    let email = if guardian.suspended {
        format!("{email} (suspended)")
    } else {
        email
    };
    vec![email, name, numbers(&guardian.children)]
}

pub(super) fn child_row(child: &ChildEntry) -> Vec<String> {
    let guardians = child
        .guardians
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>();
    let guardians = listed(&guardians, "without a guardian");
    let assistants = listed(&child.assistants, "-");
    vec![
        child.child_id.to_string(),
        child.name.clone(),
        guardians,
        assistants,
    ]
}

pub(super) fn assistant_row(assistant: &AssistantEntry) -> Vec<String> {
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
pub(super) fn upstream_of(assistant: &AssistantEntry) -> String {
    match (&assistant.upstream, assistant.when_not_kept) {
        (None, _) if assistant.kind == Some(KeyKind::Gateway) => "none yet".to_owned(),
        (None, _) => "-".to_owned(),
        (Some(name), Some(WhenNotKept::Open)) => format!("{name} (open)"),
        (Some(name), _) => name.clone(),
    }
}

pub(super) fn upstream_row(upstream: &UpstreamEntry) -> Vec<String> {
    let form = match upstream.form {
        UpstreamForm::OpenAi => "OpenAI",
        UpstreamForm::Ollama => "Ollama",
    };
    let key = if upstream.has_key { "yes" } else { "-" };
    vec![
        upstream.name.clone(),
        upstream.url.to_string(),
        form.to_owned(),
        key.to_owned(),
        listed(&upstream.models, "all"),
        listed(&upstream.assistants, "-"),
    ]
}

pub(super) fn child_sentence(child: &ChildEntry) -> String {
    let guardians = child
        .guardians
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>();
    format!(
        "{} (number {}) is seen by {}.",
        plain(&child.name),
        child.child_id,
        listed(&guardians, "nobody")
    )
}
