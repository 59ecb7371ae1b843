//! A data folder that this version made is opened by every later one.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::support::process::Home;

/// The layout of today's folders.
const LAYOUT: u32 = 3;

/// What stands in a folder that was kept: the files of one that was killed, compressed, what an export of it said, and a backup.
fn kept(layout: u32) -> PathBuf {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    fixtures.join(format!("data-folder-{layout}"))
}

/// What the export said when the folder was made.
fn said(layout: u32) -> String {
    unpacked(&kept(layout).join("export.json.zst"))
}

fn unpacked(path: &Path) -> String {
    String::from_utf8(zstd::stream::decode_all(File::open(path).unwrap()).unwrap()).unwrap()
}

/// Unpacks what is kept of a folder, with the folders in it.
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

/// Whether a folder of this layout is opened with all that was said in it, twice.
fn opens(layout: u32) {
    let home = Home::new();
    unpack(&kept(layout), &home.data());
    for not_of_it in ["export.json", "backup"] {
        fs::remove_file(home.data().join(not_of_it)).unwrap();
    }
    fs::create_dir_all(home.data().join("store/blobs")).unwrap();

    for _ in 0..2 {
        assert_eq!(home.ok(&["export"]), said(layout));
    }

    let verified = home.ok(&["verify"]);
    assert!(
        verified.ends_with("Every record can be read.\n"),
        "{verified}"
    );
    let listed = home.ok(&["assistant", "list"]);
    assert!(listed.contains("kitchen  1"), "{listed}");
    let server = home.serve(&[]);
    assert_eq!(server.terminate(), Some(0));
}

/// Whether a backup of a folder of this layout is restored with all that was said in it.
fn restores(layout: u32) {
    let home = Home::new();
    fs::copy(kept(layout).join("backup"), home.path().join("backup")).unwrap();

    home.ok(&["restore", "backup"]);

    let exported = home.ok(&["export"]);
    assert_eq!(exported, said(layout));
}

#[test]
fn a_data_folder_of_layout_3_is_opened_whole() {
    opens(3);
}

#[test]
fn a_backup_of_a_folder_of_layout_3_is_restored_whole() {
    restores(3);
}

/// For a new layout: give it another number first.
#[test]
#[ignore = "makes the folder that the other tests open"]
fn make_the_folder_that_is_kept() {
    if kept(LAYOUT).exists() {
        return;
    }
    let home = Home::new();
    home.ok(&["seed", "--demo"]);
    home.ok(&["assistant", "add", "kitchen", "--child", "1"]);
    let server = home.serve(&[]);
    // What is in the journal alone.
    let more = [
        "child",
        "add",
        "Noah",
        "--guardian",
        "demo@porchlight.example",
    ];
    home.ok(&more);
    server.kill();

    fs::create_dir_all(kept(LAYOUT).join("store")).unwrap();
    let store = fs::read_dir(home.data().join("store")).unwrap();
    let store = store.map(|entry| entry.unwrap().path());
    let journal = ["store.journal.0", "store.journal.1"].map(|name| home.data().join(name));
    for path in store.filter(|path| path.is_file()).chain(journal) {
        let below = path.strip_prefix(home.data()).unwrap();
        let packed = kept(LAYOUT).join(below.with_added_extension("zst"));
        let mut packed = File::create(packed).unwrap();
        zstd::stream::copy_encode(File::open(&path).unwrap(), &mut packed, 19).unwrap();
    }
    let seal = home.data().join("store.seal");
    fs::copy(seal, kept(LAYOUT).join("store.seal")).unwrap();
    let exported = home.ok(&["export"]);
    let mut packed = File::create(kept(LAYOUT).join("export.json.zst")).unwrap();
    zstd::stream::copy_encode(exported.as_bytes(), &mut packed, 19).unwrap();
    home.ok(&["backup", kept(LAYOUT).join("backup").to_str().unwrap()]);
}
