//! Builds the React app in `ui/` and copies it to where `src/server/ui.rs` embeds it.
//!
//! The app is built from here, so that one cargo command is enough. To avoid building it twice, the hash of
//! all its sources is stored in `ui/dist/.stamp`, and npm is run only if the hash differs. The finished app
//! is then copied to `OUT_DIR/ui`, without the stamp, so that the binary doesn't depend on later changes of `ui/dist`.
//!
//! `PORCHLIGHT_SKIP_UI=1` embeds a placeholder page instead: for work on the server alone.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;
use std::{env, io};

use flate2::Compression;
use flate2::write::GzEncoder;

/// Folders of `ui/` whose files are all inputs of the app; `vite` is for plugins of the build, if there are any.
const INPUT_FOLDERS: [&str; 4] = ["src", "public", "vite", "locales"];

/// Large texts that are rarely read, embedded gzipped.
const GZIPPED: [&str; 2] = ["openapi.yaml", "src/admin/demo.json"];

/// Settings next to those folders that aren't inputs: other tools read them, and their output is committed under `ui/src`.
const OTHER_TOOLS: [&str; 3] = ["orval.", "playwright.", "vitest."];

const SKIP: &str = "PORCHLIGHT_SKIP_UI";

const STUB_PAGE: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Porchlight without its pages</title>
<h1>This Porchlight was built without its pages</h1>
<p>PORCHLIGHT_SKIP_UI was set when it was compiled, so only the API answers. Build it again without that setting.</p>
</html>
";

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let (ui, pages) = (Path::new("ui"), out.join("ui"));

    let outcome = if skipping() {
        lay_stub(&pages)
    } else {
        lay_app(ui, &pages)
    };
    let outcome = outcome.and_then(|mut watched| {
        gzip_texts(&out)?;
        watched.extend(GZIPPED.map(PathBuf::from));
        Ok(watched)
    });

    // Printed only on success: a build script that failed runs again anyway.
    println!("cargo::rerun-if-env-changed={SKIP}");
    match outcome {
        Ok(watched) => {
            println!("cargo::rerun-if-changed=build.rs");
            for path in watched {
                println!("cargo::rerun-if-changed={}", path.display());
            }
        }
        Err(sentences) => {
            for line in sentences.lines() {
                println!("cargo::error={line}");
            }
        }
    }
}

fn skipping() -> bool {
    env::var_os(SKIP).is_some_and(|value| !value.is_empty() && value != "0")
}

fn gzip_texts(out: &Path) -> Result<(), String> {
    for text in GZIPPED.map(Path::new) {
        let plain = fs::read(text).map_err(|e| cannot("read", text, &e))?;
        let gzipped = out.join(format!("{}.gz", name_of(text)));
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let written = encoder.write_all(&plain).and_then(|()| encoder.finish());
        written
            .and_then(|bytes| fs::write(&gzipped, bytes))
            .map_err(|e| cannot("write", &gzipped, &e))?;
    }
    Ok(())
}

fn lay_stub(out: &Path) -> Result<Vec<PathBuf>, String> {
    empty(out)?;
    fs::write(out.join("index.html"), STUB_PAGE).map_err(|e| cannot("write", out, &e))?;
    Ok(Vec::new())
}

/// Builds `ui/dist` if it is outdated, copies it to `out`, and returns the files that cargo should watch.
fn lay_app(ui: &Path, out: &Path) -> Result<Vec<PathBuf>, String> {
    // Two cargo processes (an editor's and a person's) may run this at once. The folder itself is the lock: nothing to clean up.
    let lock = File::open(ui).map_err(|e| cannot("open", ui, &e))?;
    lock.lock().map_err(|e| cannot("lock", ui, &e))?;

    let inputs = inputs(ui).map_err(|e| cannot("read", ui, &e))?;
    let hash = hash(&inputs)?;
    let dist = ui.join("dist");
    let stamp = dist.join(".stamp");
    let mut watched: Vec<PathBuf> = inputs.into_iter().collect();
    watched.push(ui.join("public"));

    let built = dist.join("index.html").is_file();
    let fresh = built && fs::read_to_string(&stamp).is_ok_and(|found| found == hash);
    if fresh {
        watched.push(stamp);
    } else if npm_is_there() {
        build(ui)?;
        write_stamp(&stamp, &hash).map_err(|e| cannot("write", &stamp, &e))?;
        watched.push(stamp);
    } else if built {
        // A packaged source folder: the app was built elsewhere and cannot be rebuilt here.
        println!(
            "cargo::warning=npm was not found, so ui/dist is embedded as it is, unchecked against ui/src."
        );
        watched.push(dist.clone());
    } else {
        return Err(format!(
            "The pages of Porchlight are not built yet, and npm, which builds them, was not found.\n\
             Install Node.js 20.19 or later, which brings npm, and run cargo again.\n\
             To build only the server, without its pages: {SKIP}=1 cargo build"
        ));
    }

    empty(out)?;
    copy(&dist, out).map_err(|e| cannot("copy", &dist, &e))?;
    Ok(watched)
}

/// All inputs of the app, in a fixed order. Tests, which are next to the code they test, are left out.
///
/// Single files rather than folders, so that editing a test doesn't rerun the build; a new file counts from the moment
/// an existing one imports it. `ui/public` is watched as a folder, because nothing imports its files.
fn inputs(ui: &Path) -> io::Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    for folder in INPUT_FOLDERS {
        collect(&ui.join(folder), &mut found)?;
    }
    for entry in fs::read_dir(ui)? {
        let path = entry?.path();
        let name = name_of(&path);
        let is_setting = [".html", ".json", ".ts", ".js", ".mjs"]
            .iter()
            .any(|end| name.ends_with(end));
        let is_others =
            name.starts_with('.') || OTHER_TOOLS.iter().any(|start| name.starts_with(start));
        if path.is_file() && is_setting && !is_others {
            found.insert(path);
        }
    }
    Ok(found)
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn collect(folder: &Path, found: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = name_of(&path);
        let is_test = name == "test" || name.contains(".test.") || name.contains(".spec.");
        if is_test || name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            collect(&path, found)?;
        } else {
            found.insert(path);
        }
    }
    Ok(())
}

/// FNV-1a over names, lengths and contents: it detects changes, not manipulation.
fn hash(inputs: &BTreeSet<PathBuf>) -> Result<String, String> {
    let mut state: u64 = 0xcbf2_9ce4_8422_2325;
    let mut mix = |bytes: &[u8]| {
        for &byte in bytes {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for path in inputs {
        let contents = fs::read(path).map_err(|e| cannot("read", path, &e))?;
        mix(path.to_string_lossy().replace('\\', "/").as_bytes());
        mix(&contents.len().to_le_bytes());
        mix(&contents);
    }
    Ok(format!("{state:016x}"))
}

fn npm_is_there() -> bool {
    Command::new("npm")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

fn build(ui: &Path) -> Result<(), String> {
    if !packages_are_current(ui) {
        // Explicit, because a machine's npm settings may omit development dependencies.
        npm(
            ui,
            &[
                "ci",
                "--include=dev",
                "--include=optional",
                "--no-audit",
                "--no-fund",
            ],
        )?;
    }
    npm(ui, &["run", "build"])
}

/// The same rule as in the Makefile: npm writes `node_modules/.package-lock.json` when it has finished installing.
fn packages_are_current(ui: &Path) -> bool {
    let changed = |name: &str| fs::metadata(ui.join(name)).and_then(|m| m.modified());
    match (
        changed("node_modules/.package-lock.json"),
        changed("package-lock.json"),
    ) {
        (Ok(installed), Ok(wanted)) => installed >= wanted,
        _ => false,
    }
}

/// Runs npm silently; its output is shown only if it fails.
fn npm(ui: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut npm = Command::new("npm");
    npm.args(arguments)
        .current_dir(ui)
        .stdin(Stdio::null())
        .env("NO_COLOR", "1");
    // Vite writes VITE_… into the app, which must contain no secret; NODE_ENV and DEBUG, set by cargo, change npm's behaviour.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("VITE_") || text == "NODE_ENV" || text == "DEBUG" {
            npm.env_remove(&name);
        }
    }
    let command = format!("npm {}", arguments.join(" "));
    let output = npm
        .output()
        .map_err(|e| format!("`{command}` could not be started: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "`{command}` failed in ui/ ({}). It said:\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    ))
}

/// Backdated, because cargo would take a watched file that is newer than this run for a change, and run once more.
fn write_stamp(stamp: &Path, hash: &str) -> io::Result<()> {
    fs::write(stamp, hash)?;
    File::options()
        .write(true)
        .open(stamp)?
        .set_modified(UNIX_EPOCH)
}

fn empty(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|e| cannot("empty", folder, &e))?;
    }
    fs::create_dir_all(folder).map_err(|e| cannot("make", folder, &e))
}

/// Copies all but dot files, and all but files that also exist gzipped: `src/server/ui.rs` decompresses those.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        let mut gzipped = entry.path().into_os_string();
        gzipped.push(".gz");
        if entry.file_name().to_string_lossy().starts_with('.') || Path::new(&gzipped).is_file() {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn cannot(verb: &str, path: &Path, error: &io::Error) -> String {
    format!("Could not {verb} {}: {error}", path.display())
}
