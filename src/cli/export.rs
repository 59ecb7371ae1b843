//! `porchlight export`

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::backup::must_exist;
use super::progress::Shown;
use super::{Context, Outcome};
use crate::admin::backup::NewFile;
use crate::admin::{AdminError, Progress, Request, stream};
use crate::children::ChildId;

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
    let begin = |out| NewFile::begin(out, command.force);
    let new = command.out.as_deref().map(begin).transpose();
    let new = new.map_err(|error| failed(&error))?;
    let to_file = new.is_some();
    let (pieces, mut receiver) = stream::pieces();
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
    let shown = Shown::new("Messages exported:");
    let show = |progress: Progress| shown.show(progress);
    let sent = context
        .stream(
            Request::Export {
                child: command.child,
            },
            &show,
            &pieces,
        )
        .await;
    drop(pieces);
    let written = writing.await.map_err(|error| failed(&error))?;
    drop(shown);
    let new = written.map_err(|error| failed(&error))?;
    let answer = sent?;
    if let Some(new) = new {
        new.finish().map_err(|error| failed(&error))?;
    }
    if to_file {
        return context.print(&answer);
    }
    context.say_what_is_left_out(&answer);
    Ok(())
}
