//! Every version opens the data folders of earlier versions.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::support::process::Home;
use crate::support::trace::{calls_in, can_trace, trace_calls};
use serde_json::Value;

const FORMAT: u32 = 4;

/// The test format: [`FORMAT`] under an older number.
const OLDER: u32 = FORMAT - 1;

/// Returns the fixture of this format: the compressed files of a killed server, their export, and a backup.
fn fixture(format: u32) -> PathBuf {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    fixtures.join(format!("data-folder-{format}"))
}

/// Returns the fixture's expected export.
fn expected_export(format: u32) -> Value {
    parsed(&unpacked(&fixture(format).join("export.json.zst")))
}

fn parsed(export: &str) -> Value {
    serde_json::from_str(export).unwrap()
}

fn unpacked(path: &Path) -> String {
    String::from_utf8(zstd::stream::decode_all(File::open(path).unwrap()).unwrap()).unwrap()
}

fn unpack(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            unpack(&path, &to.join(path.file_name().unwrap()));
            continue;
        }
        let packed = path.extension().is_some_and(|extension| extension == "zst");
        let name = if packed {
            path.file_stem()
        } else {
            path.file_name()
        };
        let to = to.join(name.unwrap());
        if packed {
            let mut unpacked = File::create(to).unwrap();
            zstd::stream::copy_decode(File::open(&path).unwrap(), &mut unpacked).unwrap();
        } else {
            fs::copy(&path, to).unwrap();
        }
    }
}

/// Creates a home with the fixture's data folder.
fn home_with(format: u32) -> Home {
    let home = Home::new();
    unpack(&fixture(format), &home.data());
    for name in ["export.json", "backup"] {
        fs::remove_file(home.data().join(name)).unwrap();
    }
    fs::create_dir_all(home.data().join("store/blobs")).unwrap();
    home
}

/// Opens the fixture twice, and compares the exports. Returns the home.
fn assert_opens(format: u32) -> Home {
    let home = home_with(format);

    for _ in 0..2 {
        assert_eq!(parsed(&home.ok(&["export"])), expected_export(format));
    }

    let verified = home.ok(&["verify"]);
    assert!(
        verified.ends_with("Every record can be read.\n"),
        "{verified}"
    );
    let listed = home.ok(&["assistant", "list"]);
    let is_kitchen = |line: &str| line.starts_with("kitchen ") && line.contains(" 1 ");
    assert!(listed.lines().any(is_kitchen), "{listed}");
    let server = home.serve(&[]);
    assert_eq!(server.terminate(), Some(0));
    home
}

/// Restores a backup, and compares the export.
fn assert_restores(backup: &Path, format: u32) {
    let home = Home::new();
    fs::copy(backup, home.path().join("backup")).unwrap();

    home.ok(&["restore", "backup"]);

    let exported = home.ok(&["export"]);
    assert_eq!(parsed(&exported), expected_export(format));
}

/// Returns the path of the backup that a migration makes.
fn backup_of(home: &Home) -> PathBuf {
    home.data().with_added_extension("before-format-4.backup")
}

#[test]
fn a_data_folder_of_the_current_format_is_opened_completely() {
    let home = assert_opens(FORMAT);

    assert!(!backup_of(&home).exists());
}

#[test]
fn a_data_folder_of_an_older_format_is_backed_up_and_migrated_completely() {
    let home = home_with(OLDER);
    let first = home.run(&["export"]);
    let output = String::from_utf8(first.stderr).unwrap();
    assert!(
        output.contains("has format 3 and is changed to format 4."),
        "{output}"
    );
    assert!(output.contains("before-format-4.backup"), "{output}");
    let exported = String::from_utf8(first.stdout).unwrap();
    assert_eq!(parsed(&exported), expected_export(OLDER));
    let second = home.run(&["export"]);
    assert!(second.stderr.is_empty(), "migrated twice");

    let home = assert_opens(OLDER);

    assert_restores(&backup_of(&home), OLDER);
}

#[test]
fn the_backup_before_a_migration_is_encrypted_for_the_recipient() {
    let home = home_with(OLDER);
    let recipient = home.make_age_key("key.txt");

    let migrated = home.run(&["export", "--backup-recipient", &recipient]);

    let output = String::from_utf8(migrated.stderr).unwrap();
    assert!(output.contains("before-format-4.backup.age"), "{output}");
    assert!(!backup_of(&home).exists());
    let encrypted = backup_of(&home).with_added_extension("age");
    assert!(
        home.refused(&["verify", encrypted.to_str().unwrap()])
            .contains("It is encrypted.")
    );
    let restore = [
        "restore",
        encrypted.to_str().unwrap(),
        "--identity=key.txt",
        "--data=again",
    ];
    home.ok(&restore);
    assert_eq!(
        parsed(&home.ok(&["export", "--data=again"])),
        expected_export(OLDER)
    );
}

#[test]
fn a_folder_whose_backup_cannot_be_written_is_not_changed() {
    let home = home_with(OLDER);
    let unfinished = backup_of(&home).with_added_extension("unfinished");
    fs::create_dir(&unfinished).unwrap();

    let refused = home.refused(&["export"]);

    assert!(refused.contains("Nothing was changed."), "{refused}");
    fs::remove_dir(unfinished).unwrap();
    let migrated = home.run(&["export"]);
    let output = String::from_utf8(migrated.stderr).unwrap();
    assert!(output.contains("has format 3 and is changed"), "{output}");
    assert_eq!(parsed(&home.ok(&["export"])), expected_export(OLDER));
}

#[test]
fn a_backup_of_each_format_is_restored_completely() {
    for format in [OLDER, FORMAT] {
        assert_restores(&fixture(format).join("backup"), format);
    }
}

/// The system calls at which a migration may be killed.
const CALLS: &str = "pwrite64,write,fsync,fdatasync,rename,unlink,mkdir,ftruncate";

/// Migrates the folder under strace. Returns the exit status.
fn migrate_traced(home: &Home, trace: &Path, inject: Option<&str>) -> Option<i32> {
    trace_calls(&home.command(&["export"]), CALLS, trace, inject)
}

/// Kills migrations at this many system calls, from the first to the last. Some are killed a second time.
fn kill_migrations(moments: usize) {
    if !can_trace() {
        return;
    }
    let uninterrupted = home_with(OLDER);
    let trace = uninterrupted.path().join("trace");
    assert_eq!(migrate_traced(&uninterrupted, &trace, None), Some(0));
    let calls = calls_in(&fs::read_to_string(trace).unwrap());
    assert!(calls.len() > 20, "{calls:?}");
    let mut killed = 0;
    for moment in 0..moments {
        let home = home_with(OLDER);
        let (call, occurrence) = &calls[moment * calls.len() / moments];
        for _ in 0..=moment % 2 {
            let inject = format!("inject={call}:signal=KILL:when={occurrence}");
            let ended = migrate_traced(&home, Path::new("/dev/null"), Some(&inject));
            killed += usize::from(ended != Some(0));
        }
        assert_eq!(
            parsed(&home.ok(&["export"])),
            expected_export(OLDER),
            "killed at {call} {occurrence}"
        );
        assert_restores(&backup_of(&home), OLDER);
    }
    let calls = calls.len();
    println!("{killed} kills at {moments} of {calls} calls");
    assert!(killed >= moments - 1, "{killed} of {moments}");
}

#[test]
fn a_migration_that_was_killed_is_completed_by_the_next_start() {
    kill_migrations(5);
}

#[test]
#[ignore = "takes a minute: `make crash`"]
fn a_migration_that_was_killed_at_fifty_moments_is_completed_by_the_next_start() {
    kill_migrations(50);
}

/// Creates the fixture of a new format. Change `FORMAT` first. (That of the test format was made by a program whose `FORMAT` is
/// [`OLDER`].)
#[test]
#[ignore = "makes the folder that the other tests open"]
fn make_fixture() {
    if fixture(FORMAT).exists() {
        return;
    }
    let home = Home::new();
    home.ok(&["seed", "--demo"]);
    // The demonstration has an assistant of this name, for other children.
    home.ok(&["assistant", "revoke", "Kitchen"]);
    home.ok(&["assistant", "add", "kitchen", "--child", "1"]);
    let server = home.serve(&[]);
    // Stored only in the log.
    let more = [
        "child",
        "add",
        "Noah",
        "--guardian",
        "demo@porchlight.example",
    ];
    home.ok(&more);
    server.kill();

    fs::create_dir_all(fixture(FORMAT).join("store")).unwrap();
    let store = fs::read_dir(home.data().join("store")).unwrap();
    let store = store.map(|entry| entry.unwrap().path());
    let log = ["store.wal.0", "store.wal.1"].map(|name| home.data().join(name));
    for path in store.filter(|path| path.is_file()).chain(log) {
        let below = path.strip_prefix(home.data()).unwrap();
        let packed = fixture(FORMAT).join(below.with_added_extension("zst"));
        let mut packed = File::create(packed).unwrap();
        zstd::stream::copy_encode(File::open(&path).unwrap(), &mut packed, 19).unwrap();
    }
    let seal = home.data().join("store.seal");
    fs::copy(seal, fixture(FORMAT).join("store.seal")).unwrap();
    let exported = home.ok(&["export"]);
    let mut packed = File::create(fixture(FORMAT).join("export.json.zst")).unwrap();
    zstd::stream::copy_encode(exported.as_bytes(), &mut packed, 19).unwrap();
    home.ok(&["backup", fixture(FORMAT).join("backup").to_str().unwrap()]);
}
