//! `porchlight upstream …`

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::{Context, Outcome};
use crate::admin::{AdminError, Request, UpstreamToAdd};
use crate::gateway::upstreams::{UpstreamForm, UpstreamUrl};
use crate::kernel::text_file::text_of;

/// The name of the standard input, instead of a file.
const STANDARD_INPUT: &str = "-";

/// Servers with models, to which Porchlight passes on what an assistant asks.
#[derive(Subcommand)]
pub enum Upstream {
    /// Add an upstream
    Add(Add),
    /// List the upstreams and the assistants that use them
    List,
    /// Remove an upstream and its key; refused while an assistant uses it
    Remove {
        /// The upstream's name
        name: String,
    },
    /// Ask an upstream for its models, and one of them for a short answer
    Test {
        /// The upstream's name
        name: String,
        /// The model to ask. Default: the first --model that the upstream was added with
        #[arg(long, value_name = "MODEL")]
        model: Option<String>,
    },
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
    let request = match command {
        Upstream::Add(add) => Request::AddUpstream(UpstreamToAdd {
            name: add.name,
            url: add.url,
            key: add.key_file.as_deref().map(key_in).transpose()?,
            models: add.models,
            form: if add.ollama {
                UpstreamForm::Ollama
            } else {
                UpstreamForm::OpenAi
            },
        }),
        Upstream::List => Request::ListUpstreams,
        Upstream::Remove { name } => Request::RemoveUpstream { name },
        Upstream::Test { name, model } => Request::TestUpstream { name, model },
    };
    context.ask(request).await
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
