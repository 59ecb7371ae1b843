//! `porchlight check`: the model that reads along.

use super::super::{Context, output};
use super::online::Answers;
use crate::admin::{FindReviewer, FoundReviewer, NamedReviewer, TestUpstream};
use crate::config::Config;
use crate::models::{Upstream, UpstreamClient, probe};

/// The warning about a model that was not tested, is unfit, or has no server.
pub async fn warning(context: &Context, config: &Config) -> Option<String> {
    let found = find(context, config).await?;
    if let Some(why) = found.why_not {
        return Some(format!("No model reads along. {why}"));
    }
    let named = format!("{} at {}", found.model?, found.host?);
    let Some(figures) = found.figures else {
        return Some(format!(
            "The reviewer's model {named} was not tested, so parents cannot switch it on. To test it: porchlight reviewer test"
        ));
    };
    let faults = output::faults(&figures);
    (!faults.is_empty()).then(|| {
        format!(
            "The reviewer's model {named} is unfit: it {}.",
            faults.join(", and ")
        )
    })
}

/// Asks the model's server.
pub async fn ask(context: &Context, config: &Config, answers: &mut Answers) {
    let Some(model) = &config.reviewer.model else {
        return;
    };
    let asked = match &config.reviewer.server {
        Some(server) => ask_here(&server.upstream(), model).await,
        None => match find(context, config).await.and_then(|it| it.upstream) {
            Some(upstream) => ask_upstream(context, upstream, model).await,
            // There is a warning already.
            None => return,
        },
    };
    match asked {
        Ok(()) => {
            let sentence = format!("{model} answered a request");
            answers.facts.push(("reviewer now", sentence));
        }
        Err(error) => {
            let sentence = format!("The reviewer's model does not answer. {error}");
            answers.failures.push(sentence);
        }
    }
}

async fn ask_here(upstream: &Upstream, model: &str) -> Result<(), String> {
    let seen = probe(&UpstreamClient::new(), upstream, Some(model)).await;
    seen.map(drop).map_err(|error| error.to_string())
}

async fn ask_upstream(context: &Context, name: String, model: &str) -> Result<(), String> {
    let model = Some(model.to_owned());
    let tested = context.run(TestUpstream { name, model }).await;
    tested.map(drop).map_err(|error| error.to_string())
}

/// The model that these options name, or else the running server.
async fn find(context: &Context, config: &Config) -> Option<FoundReviewer> {
    let server = config.reviewer.server.as_ref();
    let named = NamedReviewer {
        model: config.reviewer.model.clone(),
        url: server.map(|server| server.url.clone()),
        // Nothing is sent there.
        key: None,
    };
    context.find(FindReviewer(named)).await
}
