//! `porchlight assistant plugin`

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::super::{Context, Outcome, output};
use crate::admin::{AdminError, GetPublicUrl};
use crate::assistants::plugins::{STACKS, Stack, find_stack};
use crate::kernel::host::public_url::PublicUrl;

#[derive(Args)]
pub struct Plugin {
    /// The voice stack; lists them all when left out
    stack: Option<String>,
    /// The folder to write into
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    /// The server's address for the assistant; the public URL by default
    #[arg(long, env = "PORCHLIGHT_PUBLIC_URL", value_name = "URL")]
    public_url: Option<PublicUrl>,
}

impl Plugin {
    pub async fn run(self, context: &Context) -> Outcome {
        let Some(name) = &self.stack else {
            list(context);
            return Ok(());
        };
        let stack = find_stack(name).ok_or_else(|| {
            let names = STACKS.iter().map(|stack| stack.name).collect::<Vec<_>>();
            AdminError::new(format!(
                "There is no plug-in for {name}. There is one for: {}.",
                names.join(", ")
            ))
        })?;
        let address = match self.public_url {
            Some(given) => given,
            // The one that the server or its data folder knows.
            None => context.run(GetPublicUrl).await?,
        };
        for file in stack.generate_files(&address) {
            let path = self.output.join(file.path);
            write(&path, &file.text).map_err(|error| {
                AdminError::new(format!("{} cannot be written: {error}.", path.display()))
            })?;
        }
        let shown = self.output.join(stack.path).display().to_string();
        if context.json {
            output::print_line(format_args!(
                "{:#}",
                serde_json::json!({ "path": shown, "address": address, "steps": steps(stack, &shown) })
            ))
        } else {
            output::print_line(format_args!(
                "The plug-in for {} is in {shown}. It delivers to {address}.\n",
                stack.title
            ));
            for (number, step) in (1..).zip(steps(stack, &shown)) {
                output::print_line(format_args!("  {number}. {step}"));
            }
            if address.is_loopback() {
                output::print_line(
                    "\nThis address works on this machine alone. For an assistant elsewhere: --public-url URL, or PORCHLIGHT_URL there.",
                );
            }
        }
        Ok(())
    }
}

/// Writes a file and creates its parent folders.
fn write(path: &Path, text: &str) -> io::Result<()> {
    std::fs::create_dir_all(path.parent().unwrap_or(path))?;
    std::fs::write(path, text)
}

fn steps(stack: &Stack, path: &str) -> Vec<String> {
    stack.steps(path, "the key that 'porchlight assistant add' prints")
}

fn list(context: &Context) {
    if context.json {
        let stacks = STACKS
            .iter()
            .map(|stack| serde_json::json!({ "name": stack.name, "title": stack.title }));
        output::print_line(format_args!("{:#}", serde_json::Value::from_iter(stacks)));
        return;
    }
    for stack in &STACKS {
        output::print_line(format_args!("{:<16}{}", stack.name, stack.title));
    }
    output::print_line("\nWrite one with: porchlight assistant plugin NAME --output DIR");
}
