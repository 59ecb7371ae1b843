//! The systemd units, read by systemd itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

const SINGLE: &str = "porchlight.service";
const FAMILY: &str = "porchlight@ada.service";

/// A folder with the units, installed as documented; `None` without systemd.
fn units() -> Option<TempDir> {
    let tried = Command::new("systemd-analyze").arg("--version").output();
    if !tried.is_ok_and(|output| output.status.success()) {
        assert!(
            std::env::var_os("CI").is_none(),
            "systemd-analyze is missing"
        );
        eprintln!("Skipped: systemd-analyze is missing. Run: apt-get install systemd");
        return None;
    }
    let folder = TempDir::new().unwrap();
    let template = folder.path().join("porchlight@.service");
    let drop_ins = template.with_extension("service.d");
    install(SINGLE, &folder.path().join(SINGLE));
    install(SINGLE, &template);
    fs::create_dir(&drop_ins).unwrap();
    install("porchlight-families.conf", &drop_ins.join("families.conf"));
    Some(folder)
}

/// Copies a file of the repository. Its command is replaced by the binary under test.
fn install(name: &str, to: &Path) {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
    let lines = text.lines().map(|line| {
        let command = line.strip_prefix("ExecStart=").unwrap_or_default();
        match command.split_once(' ') {
            Some((_, arguments)) => {
                format!(
                    "ExecStart={} {arguments}\n",
                    env!("CARGO_BIN_EXE_porchlight")
                )
            }
            None => format!("{line}\n"),
        }
    });
    fs::write(to, lines.collect::<String>()).unwrap();
}

fn analyze(arguments: &[&str], unit: PathBuf) -> (String, String) {
    let output = Command::new("systemd-analyze")
        .args(arguments)
        .arg(unit)
        .output()
        .unwrap();
    let problems = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{problems}");
    (String::from_utf8(output.stdout).unwrap(), problems)
}

#[test]
fn systemd_accepts_the_units() {
    let Some(units) = units() else { return };

    for unit in [SINGLE, FAMILY] {
        let (_, problems) = analyze(&["verify", "--man=no"], units.path().join(unit));

        // Ignore problems of the machine's other units.
        let of_ours = problems.lines().filter(|line| line.contains("porchlight"));
        assert_eq!(of_ours.collect::<Vec<_>>(), Vec::<&str>::new());
    }
}

#[test]
fn a_familys_unit_is_confined_like_the_single_one() {
    let Some(units) = units() else { return };

    let [single, family] = [SINGLE, FAMILY].map(|unit| {
        let arguments = ["security", "--offline=true", "--json=short"];
        let (report, _) = analyze(&arguments, units.path().join(unit));
        serde_json::from_str::<Value>(&report).unwrap()
    });

    assert!(single.as_array().is_some_and(|checks| checks.len() > 50));
    assert_eq!(single, family);
}
