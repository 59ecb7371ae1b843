//! `porchlight export`

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::backup::must_exist;
use super::output::{counted, warn_of_unreadable};
use super::progress::Shown;
use super::{Context, Outcome};
use crate::admin::backup::{ExistingFile, NewFile};
use crate::admin::{self, AdminError, Reports};
use crate::children::ChildId;
use crate::kernel::host::pieces::pieces;

#[derive(Args)]
pub struct Export {
    /// The number of a child; without it, all children
    #[arg(long, value_name = "ID")]
    child: Option<ChildId>,
    /// The file to write, instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace an existing file, once the new one is complete
    #[arg(long, requires = "out")]
    force: bool,
}

pub async fn run(context: &Context, command: Export) -> Outcome {
    must_exist(context)?;
    let named = command
        .out
        .as_ref()
        .map_or("Standard output".into(), |out| out.display().to_string());
    let failed = |error: &dyn std::fmt::Display| {
        AdminError::new(format!("{named} cannot be written: {error}."))
    };
    let begin = |out| NewFile::begin(out, ExistingFile::forced(command.force));
    let new = command.out.as_deref().map(begin).transpose();
    let new = new.map_err(|error| failed(&error))?;
    let to_file = new.is_some();
    let (pieces, mut receiver) = pieces();
    let writing = tokio::task::spawn_blocking(move || match new {
        Some(mut new) => new.fill(receiver).map(|()| Some(new)),
        None => {
            let mut out = std::io::stdout().lock();
            while let Some(piece) = receiver.blocking_recv() {
                out.write_all(&piece)?;
            }
            out.flush().map(|()| None)
        }
    });
    let reports = Reports::new(Shown::callback("Messages exported:"), pieces);
    let child = command.child;
    let sent = context.client.run(admin::Export { child }, &reports).await;
    // The last sender of chunks.
    drop(reports);
    let written = writing.await.map_err(|error| failed(&error))?;
    let new = written.map_err(|error| failed(&error))?;
    let exported = sent?;
    if let Some(new) = new {
        new.finish().map_err(|error| failed(&error))?;
    }
    if to_file {
        context.print(&exported, |exported| {
            format!(
                "Exported {} with {} and {}.\n",
                counted(exported.children, "child", "children"),
                counted(exported.sessions, "session", "sessions"),
                counted(exported.messages, "message", "messages"),
            )
        });
    }
    let unreadable = exported.unreadable.tables();
    warn_of_unreadable(unreadable.map(|(_, records)| records).sum());
    Ok(())
}
