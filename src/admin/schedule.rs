//! Scheduled backups while the server runs.
//!
//! A backup is due when the newest in the folder is older than the period. Names contain the time and the [home](HomeId), because
//! several homes may share a folder; each reads and removes only its own. Only the newest few are kept. When a backup fails, the
//! administrator gets one e-mail until a backup succeeds again, and `check` shows the failure. If sending the e-mail fails, or
//! storing that it was sent, the next failed backup sends one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::AdminError;
use super::backup::{self, ExistingFile, PARTIAL};
use super::operation::Reports;
use crate::app::App;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::mounts;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::outgoing::mail::{Email, EmailAddress, Mailer, escaped};
use crate::kernel::store::backup_state::{Failure, HomeId, ScheduleState};
use crate::kernel::store::{Purpose, Recipient, Store};

/// The delay of the next attempt after a failed backup, if the period isn't shorter.
const AGAIN: Duration = Duration::from_secs(60 * 60);

/// The delay of an overdue backup after the start.
const SOON: Duration = Duration::from_secs(1);

#[derive(Clone, Debug)]
pub struct BackupSchedule {
    pub folder: PathBuf,
    /// The interval between backups.
    pub every: Duration,
    /// The number of backups to keep.
    pub keep: usize,
    /// The recipient of an e-mail when a backup fails.
    pub alert: Option<EmailAddress>,
    /// Whether to create the folder if it doesn't exist.
    pub creates: bool,
    /// The public keys that backups are encrypted with. Empty: backups are unencrypted.
    pub recipients: Vec<Recipient>,
}

/// Runs the schedule. Never returns.
pub async fn run(app: App, mailer: Mailer, schedule: BackupSchedule) {
    loop {
        let now = app.clock.now();
        // If the installation's id cannot be read, the backup fails and is reported.
        let newest = match HomeId::of(&app.store, &Randomness::System).await {
            Ok(home) => newest(&schedule.folder, &home, now),
            Err(_) => None,
        };
        let wait = newest.map_or(SOON, |newest| until_due(newest, now, schedule.every));
        tokio::time::sleep(wait).await;
        if let Err(error) = back_up(&app, &schedule).await {
            tracing::error!(%error, "the scheduled backup failed");
            record_failure(&app, &mailer, &schedule, &error).await;
            tokio::time::sleep(schedule.every.min(AGAIN)).await;
        }
    }
}

/// The time until the backup after `newest`.
fn until_due(newest: Timestamp, now: Timestamp, every: Duration) -> Duration {
    every.saturating_sub(now.since(newest)).max(SOON)
}

async fn back_up(app: &App, schedule: &BackupSchedule) -> Result<(), AdminError> {
    let unusable = |error: io::Error| {
        AdminError::new(format!(
            "{} cannot be used: {error}.",
            schedule.folder.display()
        ))
    };
    if schedule.creates {
        fs::create_dir_all(&schedule.folder).map_err(unusable)?;
    } else {
        mounts::demand_folder(&schedule.folder).map_err(AdminError::new)?;
        fs::read_dir(&schedule.folder).map_err(unusable)?;
    }
    let home = HomeId::of(&app.store, &Randomness::System).await?;
    let now = app.clock.now();
    let name = home.backup_name(now, !schedule.recipients.is_empty());
    let file = schedule.folder.join(name);
    backup::receive(
        &file,
        ExistingFile::Keep,
        &schedule.recipients,
        async |pieces| {
            let reports = Reports::new(|_| {}, pieces);
            backup::send(&app.store, &app.clock, &reports).await
        },
    )
    .await?;
    tracing::info!("the scheduled backup is done");
    let not_removed = prune(&schedule.folder, &home, schedule.keep, now).err();
    if let Some(sentence) = &not_removed {
        tracing::warn!(%sentence, "an old backup is still there");
    }
    let succeeded = ScheduleState {
        succeeded_at: Some(now),
        not_removed,
        failure: None,
    };
    record_state(&app.store, succeeded).await;
    Ok(())
}

async fn record_failure(app: &App, mailer: &Mailer, schedule: &BackupSchedule, error: &AdminError) {
    let ScheduleState {
        succeeded_at,
        not_removed,
        failure: known,
    } = ScheduleState::of(&app.store).unwrap_or_default();
    let mut failure = Failure {
        since: app.clock.now(),
        sentence: error.to_string(),
        told: false,
    };
    if let Some(known) = known {
        (failure.since, failure.told) = (known.since, known.told);
    }
    let noted = |failure| ScheduleState {
        succeeded_at,
        not_removed: not_removed.clone(),
        failure: Some(failure),
    };
    record_state(&app.store, noted(failure.clone())).await;
    let Some(to) = schedule.alert.clone().filter(|_| !failure.told) else {
        return;
    };
    match mailer.send(&mail(to, error)).await {
        Ok(()) => {
            failure.told = true;
            record_state(&app.store, noted(failure)).await;
        }
        Err(error) => tracing::error!(%error, "nobody could be told of the failed backup"),
    }
}

async fn record_state(store: &Store, state: ScheduleState) {
    // On a full disk, too: otherwise each failed attempt would be mailed.
    let noted = store.commit_for(Purpose::Essential, move |change| state.put(change));
    if let Err(error) = noted.await {
        tracing::warn!(%error, "how the backup went could not be noted");
    }
}

fn mail(to: EmailAddress, error: &AdminError) -> Email {
    let text = format!(
        "The scheduled backup of Porchlight failed:\n\n{error}\n\nIt is tried again at least every hour. You get \
         another email only after one has worked and the next fails. `porchlight check` shows how it \
         stands.\n"
    );
    let html = format!(
        "<pre style=\"white-space:pre-wrap\">{}</pre>",
        escaped(&text)
    );
    let subject = "Porchlight: the backup failed".to_owned();
    Email {
        to,
        subject,
        text,
        html,
        is_urgent: false,
        message_id: None,
        unsubscribe: None,
    }
}

/// The names of the home's backups in a folder, oldest first.
fn backups(folder: &Path, home: &HomeId) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().into_string().ok();
        names.extend(name.filter(|name| home.made_at(name).is_some()));
    }
    names.sort();
    Ok(names)
}

/// The time of the newest backup. One that is later than `now` was made under a wrong clock, and doesn't count: otherwise none
/// would be due until then.
fn newest(folder: &Path, home: &HomeId, now: Timestamp) -> Option<Timestamp> {
    let names = backups(folder, home).ok()?;
    let times = names.iter().filter_map(|name| home.made_at(name));
    times.filter(|made| *made <= now).max()
}

/// Removes all but the newest of the home's backups, and its incomplete files of killed processes. If a backup's name is later
/// than `now`, the clock was or is wrong: it counts as older than all others, so that the backup just made stays.
///
/// # Errors
///
/// A sentence about the first one that cannot be removed; the others are removed.
fn prune(folder: &Path, home: &HomeId, keep: usize, now: Timestamp) -> Result<(), String> {
    let mut outcome = Ok(());
    let mut note = |name: &Path, removed: io::Result<()>| match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound && outcome.is_ok() => {
            let path = folder.join(name);
            outcome = Err(format!("{} cannot be removed: {error}.", path.display()));
        }
        _ => {}
    };
    match backups(folder, home) {
        Ok(mut names) => {
            // Stable: each half stays in order.
            names.sort_by_key(|name| home.made_at(name) <= Some(now));
            for name in &names[..names.len().saturating_sub(keep)] {
                note(Path::new(name), fs::remove_file(folder.join(name)));
            }
        }
        Err(error) => note(Path::new(""), Err(error)),
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if name.starts_with(&home.prefix()) && name.ends_with(PARTIAL) {
            note(
                Path::new(name),
                backup::remove_left_over(&folder.join(name)),
            );
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After every backup below.
    const NOW: Timestamp = Timestamp::MAX;

    async fn home() -> HomeId {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(folder.path()).unwrap();
        HomeId::of(&store, &Randomness::System).await.unwrap()
    }

    /// The name of the home's backup of a day in November.
    fn name(home: &HomeId, day: u32) -> String {
        let at = Timestamp::parse(&format!("2026-11-{day:02}T00:00:00Z")).unwrap();
        home.backup_name(at, false)
    }

    #[tokio::test]
    async fn only_the_newest_are_kept_and_nothing_else_is_touched() {
        let (folder, home) = (tempfile::TempDir::new().unwrap(), home().await);
        let partial = format!("{}.7.partial", name(&home, 1));
        let others = ["email".to_owned(), partial.clone()];
        for name in (1..=5).map(|day| name(&home, day)).chain(others) {
            fs::write(folder.path().join(name), "").unwrap();
        }

        prune(folder.path(), &home, 2, NOW).unwrap();

        let kept = backups(folder.path(), &home).unwrap();
        assert_eq!(kept, [name(&home, 4), name(&home, 5)]);
        assert!(folder.path().join("email").exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[tokio::test]
    async fn two_homes_that_share_a_folder_each_have_their_own_backups() {
        let folder = tempfile::TempDir::new().unwrap();
        let (ours, theirs) = (home().await, home().await);
        let half = format!("{}.7.partial", name(&theirs, 5));
        for name in (1..=4).map(|day| name(&theirs, day)).chain([half.clone()]) {
            fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(newest(folder.path(), &ours, NOW), None, "ours is due");
        fs::write(folder.path().join(name(&ours, 2)), "").unwrap();

        prune(folder.path(), &ours, 1, NOW).unwrap();

        assert_eq!(backups(folder.path(), &ours).unwrap(), [name(&ours, 2)]);
        assert_eq!(backups(folder.path(), &theirs).unwrap().len(), 4);
        assert!(
            folder.path().join(half).exists(),
            "another computer may be writing it"
        );
    }

    #[tokio::test]
    async fn a_backup_that_is_dated_ahead_does_not_stop_the_schedule() {
        let (folder, home) = (tempfile::TempDir::new().unwrap(), home().await);
        let now = Timestamp::parse("2026-11-05T00:00:00Z").unwrap();
        fs::write(folder.path().join(name(&home, 20)), "").unwrap();

        assert_eq!(newest(folder.path(), &home, now), None);
        fs::write(folder.path().join(name(&home, 3)), "").unwrap();

        let third = home.made_at(&name(&home, 3));
        assert_eq!(newest(folder.path(), &home, now), third);
    }

    #[tokio::test]
    async fn under_a_clock_that_was_set_back_the_backup_just_made_is_kept() {
        let (folder, home) = (tempfile::TempDir::new().unwrap(), home().await);
        let name = |day| name(&home, day);
        for day in [2, 7, 8, 9] {
            fs::write(folder.path().join(name(day)), "").unwrap();
        }
        let now = home.made_at(&name(2)).unwrap();

        prune(folder.path(), &home, 3, now).unwrap();

        let kept = backups(folder.path(), &home).unwrap();
        assert_eq!(kept, [name(2), name(8), name(9)]);
    }

    #[tokio::test]
    async fn a_backup_that_is_being_written_is_not_removed_as_left_over() {
        let (folder, home) = (tempfile::TempDir::new().unwrap(), home().await);
        let path = folder.path().join(name(&home, 1));
        let writing = backup::NewFile::begin(&path, ExistingFile::Keep).unwrap();

        prune(folder.path(), &home, 2, NOW).unwrap();
        let second = backup::NewFile::begin(&path, ExistingFile::Keep)
            .err()
            .unwrap();
        writing.finish().unwrap();

        assert_eq!(second.to_string(), "another command is just writing it");
        assert!(path.exists());
    }

    #[tokio::test]
    async fn what_cannot_be_removed_is_named_and_the_rest_is_removed() {
        let (folder, home) = (tempfile::TempDir::new().unwrap(), home().await);
        let name = |day| name(&home, day);
        // A folder cannot be removed as a file, not even by root.
        fs::create_dir(folder.path().join(name(1))).unwrap();
        for day in 2..=4 {
            fs::write(folder.path().join(name(day)), "").unwrap();
        }

        let sentence = prune(folder.path(), &home, 1, NOW).unwrap_err();

        assert!(
            sentence.contains(&format!("{} cannot be removed: ", name(1))),
            "{sentence}"
        );
        let left = backups(folder.path(), &home).unwrap();
        assert_eq!(left, [name(1), name(4)]);
    }

    #[test]
    fn a_backup_is_due_a_period_after_the_newest() {
        let (day, hour) = (Duration::from_secs(86_400), Duration::from_secs(3_600));
        let newest = Timestamp::from_micros(0).after(day);

        assert_eq!(until_due(newest, newest.after(hour), day), day - hour);
        assert_eq!(until_due(newest, newest.after(day * 2), day), SOON);
    }
}
