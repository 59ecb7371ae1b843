//! A data folder that this version made is opened by every later one.

#[path = "support/process.rs"]
mod process;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use process::Home;

/// What stands in the folder that was kept: sled's files, compressed, and what an export of it said.
fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/data-folder-1")
}

/// What the export said when the folder was made.
fn said() -> String {
    let packed = File::open(kept().join("export.json.zst")).unwrap();
    String::from_utf8(zstd::stream::decode_all(packed).unwrap()).unwrap()
}

#[test]
fn a_data_folder_of_layout_1_is_opened_whole() {
    let home = Home::new();
    let store = home.data().join("store");
    fs::create_dir_all(store.join("blobs")).unwrap();
    for entry in fs::read_dir(kept().join("store")).unwrap() {
        let path = entry.unwrap().path();
        let mut unpacked = File::create(store.join(path.file_stem().unwrap())).unwrap();
        zstd::stream::copy_decode(File::open(&path).unwrap(), &mut unpacked).unwrap();
    }
    fs::copy(kept().join("store.seal"), home.data().join("store.seal")).unwrap();

    let exported = home.ok(&["export"]);
    let verified = home.ok(&["verify"]);

    assert_eq!(exported, said());
    assert!(
        verified.ends_with("Every record can be read.\n"),
        "{verified}"
    );
    let listed = home.ok(&["assistant", "list"]);
    assert!(listed.contains("kitchen  1"), "{listed}");
    let server = home.serve(&[]);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_backup_of_format_1_is_restored_whole() {
    let home = Home::new();
    fs::copy(kept().join("backup"), home.path().join("backup")).unwrap();

    home.ok(&["restore", "backup"]);

    let exported = home.ok(&["export"]);
    assert_eq!(exported, said());
}

/// For a new layout: give the folder another number first.
#[test]
#[ignore = "makes the folder that the other tests open"]
fn make_the_folder_that_is_kept() {
    let home = Home::new();
    home.ok(&["seed", "--demo"]);
    home.ok(&["assistant", "add", "kitchen", "--child", "1"]);
    fs::create_dir_all(kept().join("store")).unwrap();
    for entry in fs::read_dir(home.data().join("store")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let name = format!("{}.zst", path.file_name().unwrap().to_str().unwrap());
            let mut packed = File::create(kept().join("store").join(name)).unwrap();
            zstd::stream::copy_encode(File::open(&path).unwrap(), &mut packed, 19).unwrap();
        }
    }
    fs::copy(home.data().join("store.seal"), kept().join("store.seal")).unwrap();
    let exported = home.ok(&["export"]);
    let mut packed = File::create(kept().join("export.json.zst")).unwrap();
    zstd::stream::copy_encode(exported.as_bytes(), &mut packed, 19).unwrap();
    home.ok(&["backup", kept().join("backup").to_str().unwrap()]);
}
