//! Checks whether the disk of a backup folder is mounted.

use std::fs;
use std::path::{Path, PathBuf};

/// The list of this machine's disks, and the kernel's list of mounted ones.
const TABLE: &str = "/etc/fstab";
const MOUNTED: &str = "/proc/self/mountinfo";

/// Refuses a folder for backups that doesn't exist or whose disk isn't mounted: the backups would end up on the same disk
/// as the data, where nobody expects them.
///
/// # Errors
///
/// A sentence for the administrator.
pub fn demand_folder(folder: &Path) -> Result<(), String> {
    let shown = folder.display();
    if let Some(point) = missing_above(folder) {
        return Err(format!(
            "The folder for backups, {shown}, belongs on the disk at {}, which is not mounted. Please mount it, or say \
             --backup-dir-create to write there anyway.",
            point.display()
        ));
    }
    match folder.try_exists() {
        Ok(false) => Err(format!(
            "The folder for backups, {shown}, is not there. If it is on another disk, please mount that; otherwise make the \
             folder, or say --backup-dir-create."
        )),
        _ => Ok(()),
    }
}

/// The mount point at or above `folder` that `/etc/fstab` lists and where nothing is mounted.
fn missing_above(folder: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(folder).ok()?;
    let real = absolute.canonicalize().unwrap_or(absolute);
    let read = |file| fs::read_to_string(file).unwrap_or_default();
    missing(&real, &read(TABLE), &read(MOUNTED))
}

fn missing(folder: &Path, table: &str, mounted: &str) -> Option<PathBuf> {
    let field = |line: &str, number| {
        let fields = line.split_ascii_whitespace();
        fields.clone().nth(number).map(unescaped)
    };
    let mounted = mounted.lines().filter_map(|line| field(line, 4));
    let mounted = mounted.collect::<Vec<_>>();
    let named = table
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .filter_map(|line| field(line, 1));
    named
        .map(PathBuf::from)
        .filter(|point| point.is_absolute() && folder.starts_with(point))
        .find(|point| !mounted.iter().any(|mounted| Path::new(mounted) == point))
}

/// Both files write a blank as `\040` (fstab(5), proc(5)).
fn unescaped(field: &str) -> String {
    let mut text = String::new();
    let mut rest = field;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let digits = after.get(..3);
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                text.push(char::from(byte));
                rest = &after[3..];
            }
            None => {
                text.push('\\');
                rest = after;
            }
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_is_listed_and_not_mounted_is_missing_for_all_below_it() {
        let table = "# our disks\nUUID=1 / ext4 defaults 0 1\nUUID=2 /mnt/usb ext4 nofail 0 2\nUUID=3 /srv/our\\040disk ext4 nofail 0 2\n\
                     UUID=4 none swap sw 0 0\n#UUID=5 /old ext4 0 0\n";
        let only_root = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n";
        let with_usb =
            "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 22 8:17 / /mnt/usb rw - ext4 /dev/sdb1 rw\n";
        let point = |folder: &str, mounted| {
            let missing = missing(Path::new(folder), table, mounted);
            missing.map(|point| point.display().to_string())
        };

        assert_eq!(
            point("/mnt/usb/porchlight", only_root),
            Some("/mnt/usb".into())
        );
        assert_eq!(point("/mnt/usb", only_root), Some("/mnt/usb".into()));
        assert_eq!(
            point("/srv/our disk/a", with_usb),
            Some("/srv/our disk".into())
        );
        for folder in [
            "/mnt/usb/porchlight",
            "/mnt/usbstick",
            "/old/backups",
            "/var/backups",
        ] {
            assert_eq!(point(folder, with_usb), None, "{folder}");
        }
    }
}
