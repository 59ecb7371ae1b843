//! `porchlight upstream …`

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::output::{counted, listed, traces};
use super::{Context, Outcome};
use crate::admin::{
    AddUpstream, AdminError, ListUpstreams, RemoveUpstream, TestUpstream, TestedUpstream,
    UpstreamEntry,
};
use crate::kernel::host::text_file::text_of;
use crate::kernel::host::words::plain;
use crate::models::{UpstreamForm, UpstreamUrl};

/// The name of the standard input, instead of a file.
const STANDARD_INPUT: &str = "-";

/// How many of an upstream's models are printed. Some providers have hundreds.
const MOST_SHOWN: usize = 20;

/// Servers with models, to which Porchlight passes on what an assistant asks.
#[derive(Subcommand)]
pub enum Upstream {
    /// Add an upstream
    Add(Add),
    /// List the upstreams and the assistants that use them
    List,
    /// Remove an upstream and its key; refused while an assistant uses it
    Remove(RemoveUpstream),
    /// Ask an upstream for its models, and one of them for a short answer
    Test(TestUpstream),
}

#[derive(Args)]
pub struct Add {
    /// The upstream's name
    name: String,
    /// Its URL, such as https://api.example.org/v1, to which /chat/completions is appended
    #[arg(long, value_name = "URL")]
    url: UpstreamUrl,
    /// A file that holds Porchlight's key for it, or - for the standard input
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// A model that assistants may use; may be given more than once. Default: all that the upstream lists
    #[arg(long = "model", value_name = "MODEL")]
    models: Vec<String>,
    /// It is Ollama; the URL is without /v1, such as http://127.0.0.1:11434
    #[arg(long)]
    ollama: bool,
}

pub async fn run(context: &Context, command: Upstream) -> Outcome {
    match command {
        Upstream::Add(add) => {
            let add = AddUpstream {
                name: add.name,
                url: add.url,
                key: add.key_file.as_deref().map(key_in).transpose()?,
                models: add.models,
                form: if add.ollama {
                    UpstreamForm::Ollama
                } else {
                    UpstreamForm::OpenAi
                },
            };
            let added = context.ask(add, |upstream| {
                format!(
                    "Added {0}. See whether it answers with: porchlight upstream test {0}\n\
                     Make a key for an app that uses it with: porchlight assistant add NAME --child ID --upstream {0}\n",
                    plain(&upstream.name)
                )
            });
            added.await
        }
        Upstream::List => {
            let heads = ["Name", "URL", "API", "Key", "Models", "Assistants"];
            let empty =
                "There are no upstreams yet. Add one with: porchlight upstream add NAME --url URL";
            context.list(ListUpstreams, &heads, row, empty).await
        }
        Upstream::Remove(remove) => {
            let removed = context.ask(remove, |removed| {
                format!(
                    "Removed {} and its key. Backups made before keep them.\n{}",
                    plain(&removed.entry.name),
                    traces(removed)
                )
            });
            removed.await
        }
        Upstream::Test(test) => context.ask(test, tested).await,
    }
}

fn key_in(file: &Path) -> Result<String, AdminError> {
    let read = if file == Path::new(STANDARD_INPUT) {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        text_of(file)
    };
    let text = read
        .map_err(|error| AdminError::new(format!("{} cannot be read: {error}.", file.display())))?;
    Ok(text.trim().to_owned())
}

fn row(upstream: &UpstreamEntry) -> Vec<String> {
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

fn tested(tested: &TestedUpstream) -> String {
    let (name, models) = (plain(&tested.name), &tested.models);
    let shown = models.iter().take(MOST_SHOWN).map(|model| plain(model));
    let shown = shown.collect::<Vec<_>>().join(", ");
    let listed = match models.len() {
        0 => "no models".to_owned(),
        count @ ..=MOST_SHOWN => {
            format!("{}: {shown}", counted(count as u64, "model", "models"))
        }
        count => format!("{count} models: {shown} and {} more", count - MOST_SHOWN),
    };
    let asked = match &tested.answered {
        Some(model) => format!("{} answered a request.", plain(model)),
        None => {
            format!("No model was asked. To ask one: porchlight upstream test {name} --model MODEL")
        }
    };
    format!("{name} answers. It lists {listed}.\n{asked}\n")
}
