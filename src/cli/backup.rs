//! `porchlight backup`, `restore`, `reinstate`, `verify`

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use clap::Args;
use rustix::fs::{MemfdFlags, memfd_create};
use tokio::io::BufReader;
use tokio::process::Command;

use super::progress::Shown;
use super::{Context, Outcome};
use crate::admin::backup::{self, how_to_restore, receive};
use crate::admin::owner::Owner;
use crate::admin::protocol::{LONGEST_LINE, Reply, read_line, write_line};
use crate::admin::{AdminError, Answer, Progress, Request};
use crate::identity::{GuardianName, Named};
use crate::kernel::store::{self, Identities, Store, Verified};

/// The timeout without output of the process that reads the store: sled hung on damaged files in 2 of 125 attempts,
/// and opening alone has two minutes.
const SILENCE: Duration = Duration::from_secs(150);

#[derive(Args)]
pub struct Backup {
    /// The file to write
    file: PathBuf,
    /// Replace an existing file, once the new one is complete
    #[arg(long)]
    force: bool,
}

pub async fn back_up(context: &Context, command: Backup) -> Outcome {
    must_exist(context)?;
    let shown = Shown::new("Records backed up:");
    let contents = receive(
        &command.file,
        command.force,
        &context.recipients,
        async |pieces| {
            let show = |progress: Progress| shown.show(progress);
            match context.stream(Request::Backup, &show, &pieces).await? {
                Answer::BackedUp(contents) => Ok(contents),
                _ => Err(AdminError::new("The server answered something else.")),
            }
        },
    );
    let contents = contents.await;
    drop(shown);
    context.print(&Answer::BackedUp(contents?))
}

#[derive(Args)]
pub struct Restore {
    /// The backup file
    file: PathBuf,
    #[command(flatten)]
    key: SecretKey,
    #[command(flatten)]
    named: Naming,
}

/// What decrypts a backup.
#[derive(Args)]
struct SecretKey {
    /// The file with the secret key of an encrypted backup, as age-keygen writes it
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,
}

impl SecretKey {
    fn read(&self) -> Result<Identities, AdminError> {
        let read = self.identity.as_deref().map(Identities::read).transpose();
        Ok(read.map_err(AdminError::new)?.unwrap_or_default())
    }
}

/// The guardians and assistants to reinstate.
#[derive(Args)]
pub struct Naming {
    /// Reinstate all guardians and assistants
    #[arg(long)]
    all: bool,
    /// Reinstate this guardian, by address or id; can be repeated
    #[arg(long = "guardian", value_name = "EMAIL")]
    guardians: Vec<GuardianName>,
    /// Reinstate this assistant, by its name or its id; can be repeated
    #[arg(long = "assistant", value_name = "NAME")]
    assistants: Vec<String>,
}

impl Naming {
    /// The equivalent arguments.
    fn arguments(&self) -> Vec<String> {
        let all = self.all.then(|| "--all".to_owned());
        let guardians = self
            .guardians
            .iter()
            .map(|email| format!("--guardian={email}"));
        let assistants = self
            .assistants
            .iter()
            .map(|name| format!("--assistant={name}"));
        all.into_iter().chain(guardians).chain(assistants).collect()
    }
}

impl From<Naming> for Named {
    fn from(naming: Naming) -> Self {
        Self {
            all: naming.all,
            guardians: naming.guardians,
            assistants: naming.assistants,
        }
    }
}

pub async fn reinstate(context: &Context, naming: Naming) -> Outcome {
    must_exist(context)?;
    let request = Request::Reinstate(naming.into());
    context.print(&context.answer(request, None, &|_| {}).await?)
}

pub async fn restore(context: &Context, command: Restore) -> Outcome {
    if let Some(owner) = Owner::to_act_as(&context.data) {
        return restore_as(owner, context, &command);
    }
    let shown = Shown::new("Restoring");
    let data = context.data.clone();
    let restored = tokio::task::spawn_blocking(move || {
        let show = |done, total| shown.show(Progress { done, total });
        let identities = command.key.read()?;
        backup::restore(
            &command.file,
            &data,
            &identities,
            command.named.into(),
            show,
        )
    });
    let restored = restored
        .await
        .map_err(|error| AdminError::new(error.to_string()))?;
    context.print(&Answer::Restored(restored?))
}

/// Restores as the user who will own the data folder. That user may lack permission to read the backup and the secret key.
fn restore_as(owner: Owner, context: &Context, command: &Restore) -> Outcome {
    let file = command.file.display();
    let opened = File::open(&command.file);
    let opened =
        opened.map_err(|error| AdminError::new(format!("{file} cannot be read: {error}.")))?;
    let data = std::path::absolute(&context.data);
    let data = data.map_err(|error| AdminError::new(error.to_string()))?;
    let mut arguments = ["restore", store::STANDARD_INPUT, "--data"]
        .map(OsStr::new)
        .to_vec();
    arguments.push(data.as_os_str());
    if context.json {
        arguments.push(OsStr::new("--json"));
    }
    let key = command
        .key
        .identity
        .as_deref()
        .map(inherited_copy)
        .transpose();
    let key =
        key.map_err(|error| AdminError::new(format!("The secret key cannot be read: {error}.")))?;
    let key = key
        .as_ref()
        .map(|copy| format!("--identity=/proc/self/fd/{}", copy.as_raw_fd()));
    arguments.extend(key.iter().map(OsStr::new));
    let named = command.named.arguments();
    arguments.extend(named.iter().map(OsStr::new));
    let error = owner.go_on_with(&arguments, opened);
    Err(AdminError::new(format!(
        "The owner of {} cannot act: {error}.",
        data.display()
    )))
}

/// An in-memory copy of a small file, which a child process can open as any user.
fn inherited_copy(path: &Path) -> io::Result<File> {
    let mut copy = File::from(memfd_create("identity", MemfdFlags::empty())?);
    io::copy(&mut File::open(path)?, &mut copy)?;
    Ok(copy)
}

/// What to verify.
#[derive(Args)]
pub struct Verify {
    /// A backup file; without it, the store is verified
    file: Option<PathBuf>,
    #[command(flatten)]
    key: SecretKey,
    /// Verify the store in this process, and report to the process that started it
    #[arg(long, hide = true, conflicts_with = "file")]
    here: bool,
}

pub async fn verify(context: &Context, command: Verify) -> Outcome {
    match (command.file, command.here) {
        (Some(file), _) => verify_file(context, file, command.key).await,
        (None, true) => verify_here(context).await,
        (None, false) => verify_store(context).await,
    }
}

async fn verify_file(context: &Context, file: PathBuf, key: SecretKey) -> Outcome {
    let shown = Shown::new("Reading");
    let path = file.clone();
    let identities = key.read()?;
    let checked = tokio::task::spawn_blocking(move || {
        store::check_archive(&path, &identities, |done, total| {
            shown.show(Progress { done, total });
        })
    });
    let checked = checked
        .await
        .map_err(|error| AdminError::new(error.to_string()))?;
    let contents = checked.map_err(|error| {
        AdminError::new(format!(
            "{} cannot be restored. {error} Please keep another backup, or make a new one.",
            file.display()
        ))
    })?;
    context.print(&Answer::Sound(contents))
}

async fn verify_store(context: &Context) -> Outcome {
    must_exist(context)?;
    let verified = verified(context).await?;
    report(context, verified)
}

/// Verifies in a separate process, which can be killed if it hangs on damaged files. Fails if the store can't be read to its
/// end.
pub async fn verified(context: &Context) -> Result<Verified, AdminError> {
    let failed = |error: std::io::Error| {
        AdminError::new(format!(
            "The process that verifies cannot be started: {error}."
        ))
    };
    let program = std::env::current_exe().map_err(failed)?;
    let mut child = Command::new(program)
        .args(["verify", "--here", "--data"])
        .arg(&context.data)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(failed)?;
    let Some(output) = child.stdout.take() else {
        return Err(AdminError::new(
            "The process that verifies cannot be heard.",
        ));
    };
    let mut output = BufReader::new(output);
    let shown = Shown::new("Records read:");
    let verified = loop {
        match tokio::time::timeout(SILENCE, read_line(&mut output, LONGEST_LINE)).await {
            Ok(Ok(Some(Reply::Progress(progress)))) => shown.show(progress),
            Ok(Ok(Some(Reply::Done(Answer::Verified(verified))))) => break verified,
            Ok(Ok(Some(Reply::Refused(refused)))) => return Err(refused),
            Ok(_) => return Err(damaged(context, "reading it ended in the middle")),
            Err(_) => return Err(damaged(context, "reading it never ends")),
        }
    };
    drop(shown);
    Ok(verified)
}

fn report(context: &Context, verified: Verified) -> Outcome {
    let named = verified.damage.iter().map(|damage| {
        let (records, table, what) = (damage.records, &damage.table, &damage.what);
        format!("\n  {table}: {records} ({what})")
    });
    let (count, named) = (verified.damaged, named.collect::<String>());
    context.print(&Answer::Verified(verified))?;
    match count {
        0 => Ok(()),
        _ => Err(AdminError::new(format!(
            "{count} records in {} cannot be read:{named}\nWhat shows them leaves them out, and what depends on one is \
             refused. {}",
            context.data.display(),
            how_to_restore()
        ))),
    }
}

fn damaged(context: &Context, what: &str) -> AdminError {
    AdminError::new(format!(
        "The store in {} is damaged: {what}. {}",
        context.data.display(),
        how_to_restore()
    ))
}

async fn verify_here(context: &Context) -> Outcome {
    let (replies, mut received) = tokio::sync::mpsc::unbounded_channel();
    let saying = tokio::spawn(async move {
        let mut out = tokio::io::stdout();
        while let Some(reply) = received.recv().await {
            if write_line(&mut out, &reply).await.is_err() {
                // The parent process is gone.
                std::process::exit(1);
            }
        }
    });
    let progress = replies.clone();
    let show = move |made: Progress| drop(progress.send(Reply::Progress(made)));
    let outcome = context.answer(Request::Verify, None, &show).await;
    drop(show);
    let _ = replies.send(match outcome {
        Ok(answer) => Reply::Done(answer),
        Err(refused) => Reply::Refused(refused),
    });
    drop(replies);
    saying
        .await
        .map_err(|error| AdminError::new(error.to_string()))
}

/// A read-only command must not create a new store.
pub fn must_exist(context: &Context) -> Outcome {
    if Store::exists(&context.data) {
        Ok(())
    } else {
        Err(AdminError::new(format!(
            "There is no store in {}.",
            context.data.display()
        )))
    }
}
