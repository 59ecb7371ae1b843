//! `porchlight check`

use serde_json::json;

use super::{Context, Outcome};
use crate::admin::AdminError;
use crate::config::{Config, MailConfig, ServeOptions};
use crate::kernel::store::Store;

/// Says whether the options of `serve` are sound, and what they come to. Secrets are masked.
pub fn run(context: &Context, options: ServeOptions) -> Outcome {
    let config = options
        .check()
        .map_err(|error| AdminError::new(error.to_string()))?;
    let facts = facts(context, &config);
    if context.json {
        let facts = facts
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.into()));
        let facts = facts.collect::<serde_json::Map<_, _>>();
        println!(
            "{:#}",
            json!({ "settings": facts, "warnings": config.warnings })
        );
        return Ok(());
    }
    for (name, value) in facts {
        println!("{name:<12} {value}");
    }
    for warning in &config.warnings {
        println!("\nWarning: {warning}");
    }
    Ok(())
}

fn facts(context: &Context, config: &Config) -> Vec<(&'static str, String)> {
    let data = match Store::exists(&context.data) {
        true => context.data.display().to_string(),
        false => format!("{} (to be made)", context.data.display()),
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
    let sign_up = match config.open_sign_up {
        true => "open to everybody",
        false => "guardians that were added",
    };
    let provider = match &config.provider {
        Some(provider) => provider.to_string(),
        None => "none".to_owned(),
    };
    let proxies = config
        .trusted_proxies
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>();
    vec![
        ("data", data),
        ("listen", config.listen.to_string()),
        ("public URL", public_url),
        ("also known as", config.allow_hosts.join(", ")),
        ("mail", mail),
        ("TLS", tls),
        ("sign-in", sign_up.to_owned()),
        ("provider", provider),
        ("proxies", proxies.join(", ")),
        ("limits", config.limits.to_string()),
    ]
}
