//! `porchlight check`

mod exposed;
mod https_name;
mod online;
mod reviewer;

use clap::Args;
use serde_json::json;

use super::backup::verified;
use super::output::listed;
use super::{Context, Outcome, clock, output};
use crate::admin::{
    AdminError, CountNotKept, CountNotReviewed, FindTraces, GetBackupState, GetClockState,
    ListForwardingFaults, ListNotArriving,
};
use crate::children::child_notice::Helpline;
use crate::config::{Config, MailConfig, ServeOptions};
use crate::kernel::host::words::{plain, plain_json};
use crate::kernel::store::backup_state::ScheduleState;
use crate::kernel::store::{Recipient, Store};

#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    pub options: ServeOptions,

    /// Also check that the mail server, the ntfy server, the webhook's server, the OpenID Connect provider, the reviewer's model and
    /// the name for https work. No e-mail and no notification is sent; the model gets a greeting
    #[arg(long)]
    online: bool,
}

/// Checks the options of `serve`, and shows the resulting configuration. Secrets are masked.
pub async fn run(context: &Context, command: Check) -> Outcome {
    let config = command.options.check();
    let mut config = config.map_err(AdminError::new)?;
    let state = match backup_state(context).await {
        Ok(state) => state,
        Err(error) => {
            let warning = format!("How the backups went cannot be found out. {error}");
            config.warnings.push(warning);
            ScheduleState::default()
        }
    };
    let warnings = warnings(context, &config, &state).await;
    config.warnings.extend(warnings);
    let mut facts = facts(context, &config, &state);
    let https = https_name::check(context, &config);
    facts.extend(https.facts);
    config.warnings.extend(https.warnings);
    let mut failures = Vec::new();
    if command.online {
        let mut answers = online::ask(&config).await;
        reviewer::ask(context, &config, &mut answers).await;
        https_name::ask(context, &config, &mut answers).await;
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
    if Store::exists(&context.client.data) {
        context.run(GetBackupState).await
    } else {
        Ok(ScheduleState::default())
    }
}

/// The warnings that depend on the store and on the running server.
async fn warnings(context: &Context, config: &Config, state: &ScheduleState) -> Vec<String> {
    let mut warnings = Vec::new();
    warnings.extend(failure(state));
    let not_removed = state.not_removed.as_ref();
    warnings
        .extend(not_removed.map(|what| format!("The last scheduled backup worked, but {what}")));
    warnings.extend(unreadable(context).await);
    if context.find(FindTraces).await == Some(true) {
        let sentence = "Something that was removed can still be found in the store's files. They are compacted within an hour, or as \
                        soon as the disk has room for a copy of them.";
        warnings.push(sentence.to_owned());
    }
    let not_kept = context.find(CountNotKept).await.unwrap_or_default();
    warnings.extend(not_kept.iter().map(output::not_kept));
    let not_reviewed = context.find(CountNotReviewed).await;
    warnings.extend(not_reviewed.and_then(output::not_reviewed));
    let not_arriving = context.find(ListNotArriving).await.unwrap_or_default();
    warnings.extend(not_arriving.iter().map(output::not_arriving));
    warnings.extend(reviewer::warning(context, config).await);
    warnings.extend(exposed::warnings(context, config).await);
    let faults = context.find(ListForwardingFaults).await.unwrap_or_default();
    warnings.extend(faults.iter().map(output::forwarding));
    let state = context.find(GetClockState).await;
    warnings.extend(state.iter().flat_map(clock::sentences));
    warnings
}

/// The warning about unreadable records, if there are any.
async fn unreadable(context: &Context) -> Option<String> {
    if !Store::exists(&context.client.data) {
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

fn failure(state: &ScheduleState) -> Option<String> {
    let failure = state.failure.as_ref()?;
    Some(format!(
        "Scheduled backups have failed since {}. {}",
        failure.since, failure.sentence
    ))
}

fn facts(context: &Context, config: &Config, state: &ScheduleState) -> Vec<(&'static str, String)> {
    let data = context.client.data.display();
    let data = if Store::exists(&context.client.data) {
        data.to_string()
    } else {
        format!("{data} (to be made)")
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
        ("push hosts", listed(&config.servers.push_hosts, "")),
        ("TLS", tls),
        ("sign-in", sign_up.to_owned()),
        ("households", households.to_owned()),
        (
            "backups",
            backups(config, &context.client.recipients, state),
        ),
        ("provider", provider),
        ("proxies", listed(&config.trusted_proxies, "")),
        ("limits", config.limits.to_string()),
        ("quota", config.assistant_quota.to_string()),
        (
            "gateway",
            format!("{} requests a key and day", config.gateway_budget),
        ),
        ("for pages of", listed(&config.gateway_origins, "")),
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
