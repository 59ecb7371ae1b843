//! `porchlight check`

mod exposed;
mod online;
mod reviewer;

use clap::Args;
use serde_json::json;

use super::backup::verified;
use super::{Context, Outcome, output};
use crate::admin::{AdminError, Answer, Request};
use crate::config::{Config, MailConfig, ServeOptions};
use crate::for_child::Helpline;
use crate::kernel::backup_state::ScheduleState;
use crate::kernel::store::{Recipient, Store};
use crate::kernel::words::{plain, plain_json};

#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    pub options: ServeOptions,

    /// Also check that the mail server, the ntfy server, the webhook's server, the OpenID Connect provider and the reviewer's model
    /// work. No e-mail and no notification is sent; the model gets a greeting
    #[arg(long)]
    online: bool,
}

/// Checks the options of `serve`, and shows the resulting configuration. Secrets are masked.
pub async fn run(context: &Context, command: Check) -> Outcome {
    let config = command
        .options
        .check()
        .map_err(|error| AdminError::new(error.to_string()))?;
    let mut config = config;
    let state = match backup_state(context).await {
        Ok(state) => state,
        Err(error) => {
            let warning = format!("How the backups went cannot be found out. {error}");
            config.warnings.push(warning);
            ScheduleState::default()
        }
    };
    config.warnings.extend(failure(&state));
    let not_removed = state.not_removed.as_ref();
    config
        .warnings
        .extend(not_removed.map(|what| format!("The last scheduled backup worked, but {what}")));
    config.warnings.extend(unreadable(context).await);
    config.warnings.extend(traces_left(context).await);
    config.warnings.extend(not_kept(context).await);
    config.warnings.extend(not_reviewed(context).await);
    config.warnings.extend(not_arriving(context).await);
    config
        .warnings
        .extend(reviewer::warning(context, &config).await);
    let exposed = exposed::warnings(context, &config).await;
    config.warnings.extend(exposed);
    config.warnings.extend(forwarding(context).await);
    config.warnings.extend(clock(context).await);
    let mut facts = facts(context, &config, &state);
    let mut failures = Vec::new();
    if command.online {
        let mut answers = online::ask(&config).await;
        reviewer::ask(context, &config, &mut answers).await;
        facts.extend(answers.facts);
        config.warnings.extend(answers.warnings);
        failures = answers.failures;
    }
    let outcome = if failures.is_empty() {
        Ok(())
    } else {
        Err(AdminError::new(failures.join("\n")))
    };
    if context.json {
        let facts = facts
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.into()));
        let facts = facts.collect::<serde_json::Map<_, _>>();
        let report = json!({ "settings": facts, "warnings": config.warnings });
        output::print_line(plain_json(&report));
        return outcome;
    }
    for (name, value) in facts {
        output::print_line(format_args!("{name:<12} {}", plain(&value)));
    }
    for warning in &config.warnings {
        output::print_line(format_args!("\nWarning: {}", plain(warning)));
    }
    outcome
}

/// The state of the scheduled backups, as far as the store knows it.
async fn backup_state(context: &Context) -> Result<ScheduleState, AdminError> {
    if !Store::exists(&context.data) {
        return Ok(ScheduleState::default());
    }
    match context.answer(Request::BackupState, None, &|_| {}).await? {
        Answer::BackupState(state) => Ok(state),
        _ => Ok(ScheduleState::default()),
    }
}

/// The warning about unreadable records, if there are any.
async fn unreadable(context: &Context) -> Option<String> {
    if !Store::exists(&context.data) {
        return None;
    }
    let damage = match verified(context).await {
        Ok(verified) => verified.damage,
        Err(error) => return Some(error.to_string()),
    };
    let named = damage
        .iter()
        .map(|damage| format!("{} of “{}”", damage.records, damage.table));
    let named = named.collect::<Vec<_>>().join(", ");
    (!named.is_empty()).then(|| {
        format!("There are records in the store that cannot be read: {named}. To see more: porchlight verify")
    })
}

/// The warning while removed data is still in the files for lack of disk space.
async fn traces_left(context: &Context) -> Option<String> {
    if !Store::exists(&context.data) {
        return None;
    }
    let asked = context.answer(Request::TracesLeft, None, &|_| {}).await;
    matches!(asked, Ok(Answer::TracesLeft { left: true })).then(|| {
        "Something that was removed can still be found in the store's files. They are compacted within an hour, or as \
         soon as the disk has room for a copy of them."
            .to_owned()
    })
}

/// The warnings about delivered messages that could not be stored.
async fn not_kept(context: &Context) -> Vec<String> {
    if !Store::exists(&context.data) {
        return Vec::new();
    }
    match context.answer(Request::NotKept, None, &|_| {}).await {
        Ok(Answer::NotKept(totals)) => totals.iter().map(output::not_kept).collect(),
        _ => Vec::new(),
    }
}

/// The warning about conversations that were not reviewed, if there are any.
async fn not_reviewed(context: &Context) -> Option<String> {
    if !Store::exists(&context.data) {
        return None;
    }
    match context.answer(Request::NotReviewed, None, &|_| {}).await {
        Ok(Answer::NotReviewed { conversations }) => output::not_reviewed(conversations),
        _ => None,
    }
}

/// The warnings about messages that don't arrive.
async fn not_arriving(context: &Context) -> Vec<String> {
    if !Store::exists(&context.data) {
        return Vec::new();
    }
    match context.answer(Request::NotArriving, None, &|_| {}).await {
        Ok(Answer::NotArriving(channels)) => channels.iter().map(output::not_arriving).collect(),
        _ => Vec::new(),
    }
}

/// The faults in trusted proxies' headers that the running server saw.
async fn forwarding(context: &Context) -> Vec<String> {
    if !Store::exists(&context.data) {
        return Vec::new();
    }
    match context.answer(Request::Forwarding, None, &|_| {}).await {
        Ok(Answer::Forwarding(seen)) => seen.iter().map(output::forwarding).collect(),
        _ => Vec::new(),
    }
}

/// What is postponed until the clock is trusted.
async fn clock(context: &Context) -> Vec<String> {
    if !Store::exists(&context.data) {
        return Vec::new();
    }
    match context.answer(Request::ClockState, None, &|_| {}).await {
        Ok(Answer::ClockState {
            due_waits_seconds,
            refused,
        }) => super::clock::sentences(due_waits_seconds, refused.as_ref()),
        _ => Vec::new(),
    }
}

fn failure(state: &ScheduleState) -> Option<String> {
    let failure = state.failure.as_ref()?;
    Some(format!(
        "Scheduled backups have failed since {}. {}",
        failure.since, failure.sentence
    ))
}

fn facts(context: &Context, config: &Config, state: &ScheduleState) -> Vec<(&'static str, String)> {
    let data = if Store::exists(&context.data) {
        context.data.display().to_string()
    } else {
        format!("{} (to be made)", context.data.display())
    };
    let public_url = match &config.public_url {
        Some(url) => url.to_string(),
        None => "the address it listens on".to_owned(),
    };
    let mail = match &config.mail {
        MailConfig::Smtp { settings, from } => format!("{settings}, from {from}"),
        MailConfig::Console => "printed on the console".to_owned(),
        MailConfig::Nobody => "none".to_owned(),
    };
    let tls = match &config.tls {
        Some(tls) => format!("{} with {}", tls.cert.display(), tls.key.display()),
        None => "none of its own".to_owned(),
    };
    let tls = if config.hsts {
        format!("{tls}; browsers keep https alone for two years")
    } else {
        tls
    };
    let sign_up = if config.open_sign_up {
        "open to everybody"
    } else {
        "guardians that were added"
    };
    let households = if config.guardians_manage {
        "arranged by guardians in the browser"
    } else {
        "arranged by commands alone"
    };
    let provider = named(config.provider.as_ref());
    vec![
        ("data", data),
        ("listen", config.listen.to_string()),
        (
            "answers",
            match config.home {
                Some(_) => "the devices of the home network".to_owned(),
                None => "everybody who reaches it".to_owned(),
            },
        ),
        ("public URL", public_url),
        ("also known as", config.allow_hosts.join(", ")),
        ("mail", mail),
        ("ntfy", named(config.servers.ntfy.as_ref())),
        ("webhook", named(config.servers.webhook.as_ref())),
        ("TLS", tls),
        ("sign-in", sign_up.to_owned()),
        ("households", households.to_owned()),
        ("backups", backups(config, &context.recipients, state)),
        ("provider", provider),
        ("proxies", listed(&config.trusted_proxies)),
        ("limits", config.limits.to_string()),
        ("quota", config.assistant_quota.to_string()),
        (
            "gateway",
            format!("{} requests a key and day", config.gateway_budget),
        ),
        ("for pages of", listed(&config.gateway_origins)),
        ("reviewer", reviewer(config)),
        (
            "helpline",
            config
                .helpline
                .as_ref()
                .map_or_else(String::new, Helpline::to_string),
        ),
        ("time zone", config.time_zone.to_string()),
        ("log", config.log.to_string()),
    ]
}

fn reviewer(config: &Config) -> String {
    let settings = &config.reviewer;
    let Some(model) = &settings.model else {
        return "none".to_owned();
    };
    let place = match &settings.server {
        Some(server) => server.url.host(),
        None => "the gateway's upstream".to_owned(),
    };
    let budget = settings.budget;
    format!("{model} at {place}, {budget} tokens a child and day")
}

fn listed(all: &[impl ToString]) -> String {
    let all = all.iter().map(ToString::to_string);
    all.collect::<Vec<_>>().join(", ")
}

fn named(server: Option<&impl ToString>) -> String {
    server.map_or_else(|| "none".to_owned(), ToString::to_string)
}

fn backups(config: &Config, recipients: &[Recipient], state: &ScheduleState) -> String {
    let plan = match &config.backup {
        Some(backup) => format!(
            "every {} to {}, the newest {} kept",
            humantime::format_duration(backup.every),
            backup.folder.display(),
            backup.keep
        ),
        None => "not scheduled".to_owned(),
    };
    let plan = match recipients.len() {
        0 => plan,
        1 => format!("{plan}; encrypted"),
        keys => format!("{plan}; encrypted for {keys} keys"),
    };
    match state.succeeded_at {
        Some(at) => format!("{plan}; last at {at}"),
        None => plan,
    }
}
