//! Shows the setup link of a new server: on the terminal, or in a file if there is no terminal.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::admin::AdminError;
use crate::app::App;
use crate::cli::qr::qr_code;

/// The file in the data folder that holds the link. Without a terminal, the output ends up in a log, where the link must not be.
const FILE: &str = "setup-link";

/// The greeting's text about the setup; empty once it is complete. Without a terminal the link is written to a file, which is
/// removed once the setup is complete.
pub fn say(app: &App, data: &Path) -> Result<String, AdminError> {
    let file = data.join(FILE);
    remove(&file);
    let Some(link) = app.identity.setup.link()? else {
        return Ok(String::new());
    };
    if std::io::stdout().is_terminal() {
        let code = qr_code(&link).unwrap_or_default();
        let hint = "Open it in a browser, or scan the code with a phone.";
        return Ok(format!(
            "  Set up    {link}\n            {hint}\n\n{code}\n"
        ));
    }
    match write(&file, &link) {
        Ok(()) => {
            let setup = app.identity.setup.clone();
            let written = file.clone();
            tokio::spawn(async move {
                setup.wait_until_over().await;
                remove(&written);
            });
            Ok(format!("  Set up    the link is in {}\n", file.display()))
        }
        Err(error) => {
            tracing::warn!(%error, "the link of the first run could not be written; `porchlight setup-link` shows it");
            Ok("  Set up    porchlight setup-link\n".to_owned())
        }
    }
}

fn write(file: &Path, link: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(file)?;
    writeln!(file, "{link}")
}

fn remove(file: &Path) {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            tracing::warn!(%error, "the file with the link of an earlier first run could not be removed");
        }
        _ => {}
    }
}
