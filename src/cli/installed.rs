//! Finds the data folder of a Porchlight that was installed as a system service.
//!
//! A package installs `lib/porchlight/service.env` next to its `bin/porchlight`. Its unit takes the environment of the service
//! from that file and then from `/etc/porchlight/settings`. Commands read the data folder from the same two files, so that
//! they find the service's data from any folder. A program without that file, such as one in a checkout, was
//! not installed as a service.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::admin::AdminError;

/// The administrator's settings for the service.
const SETTINGS: &str = "/etc/porchlight/settings";

const DATA: &str = "PORCHLIGHT_DATA";

/// The data folder of the installed service; `None` if this program was not installed as one.
pub fn data_folder() -> Result<Option<PathBuf>, AdminError> {
    let program = std::env::current_exe().ok();
    let Some(prefix) = program
        .as_deref()
        .and_then(Path::parent)
        .and_then(Path::parent)
    else {
        return Ok(None);
    };
    data_folder_of(
        &prefix.join("lib/porchlight/service.env"),
        Path::new(SETTINGS),
    )
}

fn data_folder_of(service: &Path, settings: &Path) -> Result<Option<PathBuf>, AdminError> {
    let Some(defaults) = read(service)? else {
        return Ok(None);
    };
    let set = read(settings)?.unwrap_or_default();
    let named = value_of(DATA, &set).or_else(|| value_of(DATA, &defaults));
    match named.map(PathBuf::from) {
        Some(data) if !data.is_absolute() => Err(AdminError::new(format!(
            "{DATA} in {} or {} is not an absolute path: {}.",
            service.display(),
            settings.display(),
            data.display()
        ))),
        named => Ok(named),
    }
}

/// A file's text; `None` if it doesn't exist.
fn read(file: &Path) -> Result<Option<String>, AdminError> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if [ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&error.kind()) => {
            Ok(None)
        }
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(AdminError::new(format!(
            "Which data are meant stands in {}, which only root may read. Please use sudo, or name the folder: --data DIR.",
            file.display()
        ))),
        Err(error) => Err(AdminError::new(format!(
            "{} cannot be read: {error}.",
            file.display()
        ))),
    }
}

/// The last value of a variable in an environment file of systemd's format.
fn value_of<'a>(name: &str, text: &'a str) -> Option<&'a str> {
    let lines = text.lines().map(str::trim_ascii);
    let mut values = lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    let quotes = |value: &'a str| {
        ['"', '\'']
            .into_iter()
            .find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote))
    };
    let value = values
        .next_back()
        .map(|value| quotes(value).unwrap_or(value));
    // As in the environment, an empty value counts as unset.
    value.filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_folder_is_the_services_unless_the_settings_name_another() {
        let folder = tempfile::tempdir().unwrap();
        let (service, settings) = (
            folder.path().join("service.env"),
            folder.path().join("settings"),
        );
        let found = || data_folder_of(&service, &settings).unwrap();

        assert_eq!(found(), None);
        fs::write(&settings, "PORCHLIGHT_DATA=/srv/nobody\n").unwrap();
        assert_eq!(found(), None);
        fs::remove_file(&settings).unwrap();
        fs::write(
            &service,
            "# The service's\nPORCHLIGHT_DATA=/var/lib/porchlight/data\n",
        )
        .unwrap();
        assert_eq!(found(), Some("/var/lib/porchlight/data".into()));
        fs::write(&settings, "#PORCHLIGHT_DATA=/no\nPORCHLIGHT_DATAX=/no\n").unwrap();
        assert_eq!(found(), Some("/var/lib/porchlight/data".into()));
        fs::write(
            &settings,
            "PORCHLIGHT_DATA=/no\n  PORCHLIGHT_DATA=\"/srv/our family\"\n",
        )
        .unwrap();
        assert_eq!(found(), Some("/srv/our family".into()));
        fs::write(&settings, "PORCHLIGHT_DATA=\n").unwrap();
        assert_eq!(found(), Some("/var/lib/porchlight/data".into()));
        fs::write(&settings, "PORCHLIGHT_DATA=here\n").unwrap();
        assert!(data_folder_of(&service, &settings).is_err());
    }
}
