//! The commands of an installed service, run as root: the files keep the service's owner.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::process::{Home, Server, remove_settings, text};

/// A user that no test machine has.
const USER: u32 = 41_017;

/// An installation: the program, its service.env, and the user's folder.
struct Installed {
    home: Home,
}

impl Installed {
    /// `None` where the tests do not run as root.
    fn new() -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            println!("skipped: it needs root");
            return None;
        }
        let home = Home::new();
        let at = |name: &str| home.path().join(name);
        // Opening a store in this process sets a umask that excludes other users.
        let open_to_others = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        open_to_others(home.path(), 0o755);
        for folder in ["bin", "lib", "lib/porchlight", "state", "root"] {
            fs::create_dir(at(folder)).unwrap();
            open_to_others(&at(folder), 0o755);
        }
        let built = env!("CARGO_BIN_EXE_porchlight");
        if fs::hard_link(built, at("bin/porchlight")).is_err() {
            fs::copy(built, at("bin/porchlight")).unwrap();
        }
        let data = format!("PORCHLIGHT_DATA={}\n", at("state/data").display());
        fs::write(at("lib/porchlight/service.env"), data).unwrap();
        open_to_others(&at("lib/porchlight/service.env"), 0o644);
        open_to_others(&at("bin/porchlight"), 0o755);
        chown(at("state"), Some(USER), Some(USER)).unwrap();
        fs::set_permissions(at("root"), fs::Permissions::from_mode(0o700)).unwrap();
        Some(Self { home })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Root's command, run in a folder that nobody else can enter.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.path("bin/porchlight"));
        remove_settings(&mut command);
        command.current_dir(self.path("root")).args(arguments);
        command.stdin(Stdio::null());
        command
    }

    #[track_caller]
    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        let problem = text(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {problem}");
        text(&output.stdout)
    }

    fn serve(&self) -> Server {
        self.home
            .start(self.command(&["serve", "--listen", "127.0.0.1:0"]))
    }

    #[track_caller]
    fn assert_all_is_the_users(&self) {
        assert_eq!(not_of(USER, &self.path("state")), [""; 0]);
    }
}

/// Returns the files of a folder that another user owns.
fn not_of(user: u32, folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .flat_map(|entry| {
            let found = fs::symlink_metadata(entry.path()).unwrap();
            let within = if found.is_dir() {
                not_of(user, &entry.path())
            } else {
                Vec::new()
            };
            let others = (found.uid() != user).then(|| entry.path().display().to_string());
            others.into_iter().chain(within)
        })
        .collect()
}

#[test]
fn a_command_of_root_finds_the_services_data_and_keeps_their_owner() {
    let Some(installed) = Installed::new() else {
        return;
    };

    installed.ok(&["guardian", "add", "ada@example.org"]);
    installed.ok(&["child", "add", "Mia", "--guardian", "ada@example.org"]);
    installed.ok(&["backup", "family.backup"]);
    let verified = installed.ok(&["verify"]);
    let exported = installed.ok(&["export"]);

    assert!(
        verified.ends_with("Every record can be read.\n"),
        "{verified}"
    );
    assert!(exported.contains("\"Mia\""), "{exported}");
    installed.assert_all_is_the_users();
    let backup = fs::metadata(installed.path("root/family.backup")).unwrap();
    assert_eq!((backup.uid(), backup.mode() & 0o777), (0, 0o600));
}

#[test]
fn a_backup_that_only_root_may_read_is_restored_as_the_services_user() {
    let Some(installed) = Installed::new() else {
        return;
    };
    installed.ok(&["guardian", "add", "ada@example.org"]);
    installed.ok(&["backup", "family.backup"]);
    fs::rename(installed.path("state/data"), installed.path("state/old")).unwrap();

    let named = ["--guardian", "ada@example.org"];
    let restored = installed.ok(&[&["restore", "family.backup"], &named[..]].concat());

    assert!(restored.starts_with("Restored "), "{restored}");
    let listed = installed.ok(&["guardian", "list"]);
    assert!(listed.contains("ada@example.org "), "{listed}");
    assert!(!listed.contains("suspended"), "{listed}");
    installed.assert_all_is_the_users();
}

#[test]
fn a_backup_is_decrypted_with_a_secret_key_that_only_root_may_read() {
    let Some(installed) = Installed::new() else {
        return;
    };
    let recipient = installed.home.make_age_key("root/key.txt");
    fs::set_permissions(
        installed.path("root/key.txt"),
        fs::Permissions::from_mode(0o600),
    )
    .unwrap();
    installed.ok(&["guardian", "add", "ada@example.org"]);
    installed.ok(&[
        "backup",
        "family.backup.age",
        "--backup-recipient",
        &recipient,
    ]);
    fs::rename(installed.path("state/data"), installed.path("state/old")).unwrap();

    let restored = installed.ok(&["restore", "family.backup.age", "--identity=key.txt"]);

    assert!(restored.starts_with("Restored "), "{restored}");
    installed.assert_all_is_the_users();
}

#[test]
fn a_server_that_root_starts_runs_as_the_services_user() {
    let Some(installed) = Installed::new() else {
        return;
    };

    let server = installed.serve();
    let link = installed.ok(&["setup-link"]);

    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
    let ids = format!("\t{USER}\t{USER}\t{USER}\t{USER}");
    assert_eq!((line("Uid:"), line("Gid:")), (Some(&*ids), Some(&*ids)));
    assert_eq!(line("Groups:").map(str::trim), Some(""));
    assert!(link.starts_with(&server.url), "{link}");
    assert_eq!(server.terminate(), Some(0));
    installed.assert_all_is_the_users();
}

#[test]
fn root_gets_the_same_results_and_errors_as_the_services_user() {
    let Some(installed) = Installed::new() else {
        return;
    };

    let refused = installed
        .command(&["guardian", "remove", "eve@example.org"])
        .output()
        .unwrap();

    assert_eq!(refused.status.code(), Some(1));
    let own = Home::new().refused(&["guardian", "remove", "eve@example.org"]);
    assert_eq!(text(&refused.stderr).trim_end(), own);
    let seed = format!("{}{{}}", " ".repeat(65 << 20));
    let mut file = File::create(installed.path("root/family.json")).unwrap();
    std::io::Write::write_all(&mut file, seed.as_bytes()).unwrap();
    let large = installed
        .command(&["seed", "family.json"])
        .output()
        .unwrap();
    let refused = text(&large.stderr);
    assert!(refused.contains("missing field `children`"), "{refused}");
}
