//! `porchlight backup`, `restore`, `reinstate`, `verify`

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use clap::Args;
use rustix::fs::{MemfdFlags, memfd_create};

use super::output::{counted, left_out, table};
use super::progress::Shown;
use super::{Context, Outcome};
use crate::admin::backup::{self, ExistingFile, Restored, how_to_restore, receive};
use crate::admin::owner::Owner;
use crate::admin::{AdminError, Progress, Reinstate, Reports};
use crate::app::LEFT_OUT;
use crate::identity::{GuardianName, Named, Suspended};
use crate::kernel::host::words::plain;
use crate::kernel::store::{self, Identities, Store, Tables, Verified};

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
    let contents = receive(
        &command.file,
        ExistingFile::forced(command.force),
        &context.client.recipients,
        async |pieces| {
            let reports = Reports::new(Shown::callback("Records backed up:"), pieces);
            context.client.run(backup::Backup, &reports).await
        },
    );
    context.print(&contents.await?, |contents| {
        format!(
            "Backed up {} records as of {}. The file is as private as the data folder.\n",
            contents.records(),
            contents.made_at
        )
    });
    Ok(())
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
    let reinstated = context.ask(Reinstate(naming.into()), |done| {
        format!(
            "Let {} and {} in again.\n{}",
            counted(done.reinstated.guardians, "guardian", "guardians"),
            counted(done.reinstated.assistants, "assistant", "assistants"),
            suspended_sentences(&done.suspended)
        )
    });
    reinstated.await
}

pub async fn restore(context: &Context, command: Restore) -> Outcome {
    if let Some(owner) = Owner::other_than_root(&context.client.data) {
        return restore_as(owner, context, &command);
    }
    let shown = Shown::new("Restoring");
    let data = context.client.data.clone();
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
    let restored = restored.await.map_err(AdminError::new)?;
    context.print(&restored?, restored_sentences);
    Ok(())
}

fn restored_sentences(restored: &Restored) -> String {
    let contents = &restored.contents;
    let text = format!(
        "Restored {} records, as they were at {}. What was erased or removed since is back. Nobody is signed in, and no \
         sign-in link, invitation or recovery code works.\n",
        contents.records(),
        contents.made_at
    );
    let left_out = LEFT_OUT.iter().map(|(what, _)| format!("  {what}\n"));
    let left_out = left_out.collect::<String>();
    let text = format!(
        "{text}Not restored:\n{left_out}  key, certificate and account of https at home, which no backup has: a server with --https-name \
         gets new ones\nWhat guardians are notified of comes back when they are reinstated. Each is asked at \
         the next sign-in about what doesn't.\n"
    );
    text + &suspended_sentences(&restored.suspended)
}

/// The suspended guardians and assistants, and how to reinstate them.
fn suspended_sentences(suspended: &Suspended) -> String {
    let mut text = String::new();
    if suspended.guardians.is_empty()
        && suspended.assistants.is_empty()
        && suspended.unreadable == 0
    {
        return text;
    }
    text += "\nSuspended until you name them, because they may have been removed since:\n";
    for email in &suspended.guardians {
        text += &format!("  guardian   {email}\n");
    }
    for name in &suspended.assistants {
        text += &format!("  assistant  {}\n", plain(name));
    }
    if suspended.unreadable > 0 {
        text += &left_out(suspended.unreadable);
        text.push('\n');
    }
    text + "Reinstate them with: porchlight reinstate --guardian EMAIL --assistant NAME, or all of them with: porchlight reinstate --all\n"
}

/// Restores as the user who will own the data folder. That user may lack permission to read the backup and the secret key.
fn restore_as(owner: Owner, context: &Context, command: &Restore) -> Outcome {
    let file = command.file.display();
    let opened = File::open(&command.file);
    let opened =
        opened.map_err(|error| AdminError::new(format!("{file} cannot be read: {error}.")))?;
    let data = std::path::absolute(&context.client.data);
    let data = data.map_err(AdminError::new)?;
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
    let error = owner.exec_with(&arguments, opened);
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
}

pub async fn verify(context: &Context, command: Verify) -> Outcome {
    match command.file {
        Some(file) => verify_file(context, file, command.key).await,
        None => verify_store(context).await,
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
    let checked = checked.await.map_err(AdminError::new)?;
    let contents = checked.map_err(|error| {
        AdminError::new(format!(
            "{} cannot be restored. {error} Please keep another backup, or make a new one.",
            file.display()
        ))
    })?;
    context.print(&contents, |contents| {
        let tables = tables(&contents.tables);
        let made_at = contents.made_at;
        format!("{tables}The backup is whole. It shows {made_at}.\n")
    });
    Ok(())
}

async fn verify_store(context: &Context) -> Outcome {
    must_exist(context)?;
    let verified = verified(context).await?;
    context.print(&verified, |verified| {
        let mut text = tables(&verified.tables);
        if verified.damaged == 0 {
            text += "Every record can be read.\n";
        }
        text
    });
    if verified.damaged == 0 {
        return Ok(());
    }
    let named = verified.damage.iter().map(|damage| {
        let (records, table, what) = (damage.records, &damage.table, &damage.what);
        format!("\n  {table}: {records} ({what})")
    });
    Err(AdminError::new(format!(
        "{} records in {} cannot be read:{}\nWhat shows them leaves them out, and what depends on one is refused. {}",
        verified.damaged,
        context.client.data.display(),
        named.collect::<String>(),
        how_to_restore()
    )))
}

pub async fn verified(context: &Context) -> Result<Verified, AdminError> {
    let reports = Reports::of_progress(Shown::callback("Records read:"));
    context.client.verify(&reports).await
}

/// The number of records of each kind.
fn tables(tables: &Tables) -> String {
    let rows = tables
        .iter()
        .map(|(name, count)| vec![name.clone(), count.to_string()]);
    table(&["Table", "Records"], rows, "There are no records.")
}

/// A read-only command must not create a new store.
pub fn must_exist(context: &Context) -> Outcome {
    let data = &context.client.data;
    if Store::exists(data) {
        Ok(())
    } else {
        let data = data.display();
        Err(AdminError::new(format!("There is no store in {data}.")))
    }
}
