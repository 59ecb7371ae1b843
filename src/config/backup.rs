//! The options for scheduled backups.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{MailConfig, Unsound};
use crate::kernel::host::mounts;
use crate::kernel::outgoing::mail::EmailAddress;

/// Scheduled backups, as they are asked for.
#[derive(Clone, Debug, Args)]
pub struct BackupOptions {
    /// The folder for scheduled backups, preferably on another disk. Default: no scheduled backups
    #[arg(long, env = "PORCHLIGHT_BACKUP_DIR", value_name = "DIR")]
    pub backup_dir: Option<PathBuf>,

    /// Make that folder, although its disk may not be mounted. Without this, it must be there
    #[arg(long, env = "PORCHLIGHT_BACKUP_DIR_CREATE", requires = "backup_dir")]
    pub backup_dir_create: bool,

    /// How far scheduled backups are apart, such as 24h or 7d
    #[arg(
        long,
        env = "PORCHLIGHT_BACKUP_EVERY",
        value_name = "TIME",
        default_value = "24h"
    )]
    pub backup_every: humantime::Duration,

    /// How many scheduled backups are kept
    #[arg(
        long,
        env = "PORCHLIGHT_BACKUP_KEEP",
        value_name = "NUMBER",
        default_value = "7"
    )]
    pub backup_keep: NonZeroUsize,

    /// Who gets an e-mail when a scheduled backup fails
    #[arg(long, env = "PORCHLIGHT_ALERT_MAIL", value_name = "ADDRESS")]
    pub alert_mail: Option<EmailAddress>,
}

/// Validated settings for scheduled backups.
#[derive(Clone, Debug)]
pub struct BackupConfig {
    /// The folder of the backups.
    pub folder: PathBuf,
    /// Whether to create the folder if it doesn't exist.
    pub creates: bool,
    /// The interval between backups.
    pub every: Duration,
    /// The number of backups to keep.
    pub keep: NonZeroUsize,
    /// The recipient of an e-mail when one fails.
    pub alert: Option<EmailAddress>,
}

/// The minimum interval between two scheduled backups.
const SHORTEST: Duration = Duration::from_secs(1);

impl BackupOptions {
    pub(super) fn check(
        self,
        mail: &MailConfig,
        warnings: &mut Vec<String>,
    ) -> Result<Option<BackupConfig>, Unsound> {
        if self.alert_mail.is_some() && matches!(mail, MailConfig::Nobody) {
            warnings.push(
                "Nobody can be told by mail of a failed backup (--alert-mail), because no mail server \
                 is configured (--smtp)."
                    .into(),
            );
        }
        let Some(folder) = self.backup_dir else {
            return Ok(None);
        };
        let every = *self.backup_every;
        if every < SHORTEST {
            return Err(Unsound(
                "Backups are at least a second apart (--backup-every).".into(),
            ));
        }
        if !self.backup_dir_create {
            mounts::demand_folder(&folder).map_err(Unsound)?;
        }
        Ok(Some(BackupConfig {
            folder,
            creates: self.backup_dir_create,
            every,
            keep: self.backup_keep,
            alert: self.alert_mail,
        }))
    }
}
