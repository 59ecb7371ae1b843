//! Runs the documented commands unchanged.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::documents::{blocks, documents};
use crate::support::process::{Home, remove_settings, text};

/// The example that the documents refer to.
const EXAMPLE: &str = include_str!("../docs/examples/connect.sh");

/// Returns a document's shell commands in order, without those that build the program or don't return.
fn commands(document: &str) -> Vec<String> {
    let blocks = blocks().into_iter();
    let blocks = blocks.filter(|it| it.document.ends_with(document) && it.language == "sh");
    let commands = blocks.map(|block| {
        let lines = block.code.lines();
        let lines = lines.filter(|line| {
            let left_out = [
                "cargo ",
                "cp ",
                "export ",
                "porchlight serve",
                "./porchlight serve",
                "./porchlight-old",
            ];
            !left_out
                .iter()
                .any(|words| line.trim_start().starts_with(words))
        });
        lines
            .map(|line| line.trim().to_owned() + "\n")
            .collect::<String>()
    });
    commands.filter(|commands| !commands.is_empty()).collect()
}

/// Creates a folder with the binary, as the documents assume.
fn home() -> Home {
    let home = Home::new();
    let program = env!("CARGO_BIN_EXE_porchlight");
    std::os::unix::fs::symlink(program, home.path().join("porchlight")).unwrap();
    home
}

/// A home where an assistant talks with child 1, and the assistant's key.
fn home_with_assistant() -> (Home, String) {
    let home = home();
    home.ok(&["guardian", "add", "ada@example.org"]);
    home.ok(&["child", "add", "Mia", "--guardian", "ada@example.org"]);
    let added = home.json(&["assistant", "add", "kitchen", "--child", "1"]);
    let key = added["key"].as_str().unwrap().to_owned();
    (home, key)
}

/// Runs shell commands in the folder. Returns their output.
#[track_caller]
fn run(home: &Home, commands: &str, settings: &[(&str, &str)]) -> String {
    let mut shell = Command::new("bash");
    remove_settings(&mut shell);
    let path = format!(
        "{}:{}",
        home.path().display(),
        std::env::var("PATH").unwrap()
    );
    shell
        .args(["-euo", "pipefail", "-c", commands])
        .env("PATH", path);
    let output = shell
        .envs(settings.iter().copied())
        .current_dir(home.path())
        .output()
        .unwrap();
    let (printed, problem) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{commands}\n{printed}\n{problem}");
    printed
}

/// Returns the only block that contains a text.
#[track_caller]
fn with<'a>(blocks: &'a [String], words: &str) -> &'a str {
    let mut found = blocks.iter().filter(|block| block.contains(words));
    let block = found.next().expect("the documents have such a block");
    assert!(found.next().is_none(), "more than one block has {words}");
    block
}

#[test]
fn the_documented_commands_for_assistants_work() {
    let (home, key) = home_with_assistant();
    let server = home.serve(&[]);
    let url = format!("{}/api/assistant", server.url.trim_end_matches('/'));
    let settings = [("KEY", key.as_str()), ("URL", &url)];

    let pages = ["docs/quickstart.md", "docs/protocol.md", "docs/receipts.md"];
    let mut all = pages.into_iter().flat_map(commands).collect::<Vec<_>>();
    all.push(EXAMPLE.to_owned());
    let printed = all.iter().map(|lines| run(&home, lines, &settings));
    let printed = printed.collect::<Vec<_>>();

    assert!(
        printed.iter().any(|it| it.ends_with("}304\n")),
        "{printed:?}"
    );
    let exported = home.json(&["export", "--child", "1"]);
    let session = &exported["children"][0]["sessions"][0];
    assert_eq!(session["topic"], "The moon");
    assert_eq!(session["messages"][1]["text_content"], "Because it is");
    assert_eq!(session["completion"]["mood"], "curious");
    assert_eq!(
        exported["children"][0]["upcoming"].as_array().map(Vec::len),
        Some(2)
    );
    assert_eq!(
        exported["children"][0]["report"]["suggestion"],
        "A walk after dark."
    );
}

#[test]
fn the_python_programs_of_the_quickstart_work() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("Skipped: python3 is missing. Run: apt-get install python3");
        return;
    }
    let (home, key) = home_with_assistant();
    let server = home.serve(&[]);
    let url = format!("{}/api/assistant", server.url.trim_end_matches('/'));
    let settings = [("KEY", key.as_str()), ("URL", &url)];
    let blocks = blocks().into_iter();
    let programs =
        blocks.filter(|it| it.document.ends_with("docs/quickstart.md") && it.language == "python");

    let mut printed = String::new();
    for program in programs {
        std::fs::write(home.path().join("program.py"), program.code).unwrap();
        printed += &run(&home, "python3 program.py", &settings);
    }

    assert!(printed.contains("Privacy and Unauthorized"), "{printed}");
    let exported = home.json(&["export", "--child", "1"]);
    let session = &exported["children"][0]["sessions"][0];
    assert_eq!(session["messages"][0]["text_content"], "Are stars hot?");
    assert_eq!(session["receipts"][0]["evidence"], "set", "{session}");
}

#[test]
fn the_example_loses_nothing_while_the_server_is_away() {
    let (home, key) = home_with_assistant();
    let waiting = home.path().join("box");
    std::fs::create_dir(&waiting).unwrap();
    assert!(
        EXAMPLE.lines().count() <= 36,
        "with empty lines and comments"
    );
    let talk = |session: &str, url: &str| {
        let (key, waiting) = (key.as_str(), waiting.to_str().unwrap());
        let settings = [
            ("KEY", key),
            ("URL", url),
            ("BOX", waiting),
            ("SESSION", session),
        ];
        run(&home, EXAMPLE, &settings);
    };

    talk("away", "http://127.0.0.1:1/api/assistant");
    let server = home.serve(&[]);
    talk(
        "there",
        &format!("{}/api/assistant", server.url.trim_end_matches('/')),
    );

    let exported = home.json(&["export", "--child", "1"]);
    let sessions = exported["children"][0]["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2, "{exported}");
    for session in sessions {
        let texts = session["messages"].as_array().unwrap().iter();
        let texts = texts.map(|message| message["text_content"].as_str().unwrap());
        assert_eq!(
            texts.collect::<Vec<_>>(),
            ["Why is the sea salty?", "Rivers bring the salt."]
        );
        assert!(session["completion"].is_object(), "{session}");
    }
    let mut left = std::fs::read_dir(&waiting).unwrap();
    let is_queued = |name: &str| name.contains(".json");
    assert!(!left.any(|file| is_queued(file.unwrap().file_name().to_str().unwrap())));
}

#[test]
fn the_documented_commands_for_people_and_assistants_work() {
    let home = home();
    let recipes = commands("docs/admin/people.md");

    // Done by the setup page.
    home.ok(&["guardian", "add", "ada@example.org"]);
    home.ok(&["child", "add", "Mia", "--guardian", "ada@example.org"]);
    let _server = home.serve(&[]);
    let connected = run(&home, with(&recipes, "assistant add"), &[]);
    assert!(connected.contains("ast_"), "{connected}");
    let models = commands("docs/admin/models.md");
    let upstream = run(&home, with(&models, "--ollama"), &[]);
    assert!(upstream.contains("ast_"), "{upstream}");
    let listed = home.ok(&["upstream", "list"]);
    assert!(listed.contains("tablet"), "{listed}");
    let printed = run(&home, with(&recipes, "child link"), &[]);
    assert!(printed.contains("/finish-sign-in#token=lnk_"), "{printed}");

    let lost = run(&home, with(&recipes, "guardian sign-out"), &[]);
    assert!(lost.contains("/finish-sign-in#token=lnk_"), "{lost}");
    run(&home, with(&recipes, "export"), &[]);
    let copy = std::fs::read_to_string(home.path().join("mia.json")).unwrap();
    let copy = serde_json::from_str::<Value>(&copy).unwrap();
    assert_eq!(copy["children"][0]["name"], "Mia");
    run(&home, with(&recipes, "child unlink"), &[]);
    assert_eq!(
        home.json(&["child", "list"])[0]["guardians"],
        json!(["ada@example.org"])
    );
    let rotated = run(&home, with(&recipes, "assistant rotate"), &[]);
    assert!(rotated.contains("ast_"), "{rotated}");
}

#[test]
fn the_documented_commands_for_backups_work() {
    let home = home();
    let recipes = commands("docs/admin/backup-and-restore.md");
    home.ok(&["guardian", "add", "ada@example.org"]);
    home.ok(&["child", "add", "Mia", "--guardian", "ada@example.org"]);
    let server = home.serve(&[]);

    run(
        &home,
        with(&recipes, "porchlight verify family.backup"),
        &[],
    );
    server.terminate();
    home.ok(&["child", "rename", "1", "Maja"]);
    run(&home, with(&recipes, "restore family.backup\n"), &[]);

    assert_eq!(home.json(&["child", "list"])[0]["name"], "Mia");
    home.ok(&["verify"]);
}

/// Returns all documents, except the one whose tables hold measurements.
fn guides() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_guide = |path: &PathBuf| {
        let is_of_figures = path.ends_with("docs/performance.md");
        path.starts_with(root.join("docs")) && !is_of_figures || *path == root.join("README.md")
    };
    let guides = documents().into_iter().filter(is_guide);
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path, text)
    };
    guides.map(read).collect()
}

/// Adds the long options of a command and of the commands below it, and how each command is typed.
fn collect_typed(command: &clap::Command, before: &str, typed: &mut BTreeSet<String>) {
    let options = command.get_arguments().filter_map(clap::Arg::get_long);
    typed.extend(options.map(|option| format!("--{option}")));
    for below in command.get_subcommands() {
        let path = format!("{before}{}", below.get_name());
        collect_typed(below, &format!("{path} "), typed);
        typed.insert(path);
    }
}

#[test]
fn each_command_and_option_in_the_text_exists() {
    let mut typed = BTreeSet::from(["--help".to_owned()]);
    collect_typed(&porchlight::cli::command(), "", &mut typed);
    let of_groups = ["guardian ", "child ", "assistant "];

    let mut checked = 0;
    for (document, text) in guides() {
        for code in text.split('`').skip(1).step_by(2) {
            let command = code.strip_prefix("porchlight ").unwrap_or(code);
            let is_in_group = of_groups.iter().any(|group| command.starts_with(group));
            let words = match command.split_whitespace().collect::<Vec<_>>()[..] {
                [option, ..] if code.starts_with("--") => option.trim_end_matches(',').to_owned(),
                [group, name, ..] if is_in_group => format!("{group} {name}"),
                [name, ..] if command != code => name.to_owned(),
                _ => continue,
            };
            assert!(typed.contains(&words), "{}: {code}", document.display());
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}

/// Collects the text of the UI's sources, without tests and the generated client.
fn sources(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.to_str().unwrap();
        let is_source = name.ends_with(".ts") || name.ends_with(".tsx");
        if path.is_dir() {
            if !name.ends_with("/test") && !name.ends_with("/generated") {
                sources(&path, text);
            }
        } else if is_source && !name.contains(".test.") {
            let read = std::fs::read_to_string(&path).unwrap();
            *text += &read.replace("&apos;", "'");
        }
    }
}

#[test]
fn each_label_in_the_pages_for_parents_is_on_the_screen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut screens = String::new();
    sources(&root.join("ui/src"), &mut screens);
    let is_for_parents = |path: &Path| {
        path.starts_with(root.join("docs/using")) || path == root.join("docs/using.md")
    };
    let pages = guides().into_iter();
    let pages = pages.filter(|(path, _)| is_for_parents(path));

    let (mut checked, mut read) = (0, 0);
    for (path, page) in pages {
        // Labels are in italics.
        let labels = page.replace("**", "");
        let labels = labels.split('*').skip(1).step_by(2);
        for label in labels.filter(|label| !label.contains('\n')) {
            let is_there = screens.contains(label);
            assert!(
                is_there,
                "{}: {label:?} is nowhere in ui/src",
                path.display()
            );
            checked += 1;
        }
        read += 1;
    }
    assert!(
        checked > 80 && read == 6,
        "{checked} labels of {read} pages"
    );
}

/// The pictures that a document shows, as it names them.
fn pictures(text: &str) -> impl Iterator<Item = &str> {
    let shown = text.split("<img src=\"").skip(1);
    let shown = shown.filter_map(|rest| rest.split_once('"').map(|(picture, _)| picture));
    let linked = text.split("](").skip(1);
    let linked = linked.filter_map(|rest| rest.split_once(')').map(|(link, _)| link));
    shown.chain(linked.filter(|link| link.ends_with(".png")))
}

#[test]
fn every_picture_in_a_document_exists_and_every_picture_is_in_a_document() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = "ui/scripts/pictures/demonstration.pictures.ts";
    let script = std::fs::read_to_string(root.join(script)).unwrap();

    let mut shown = BTreeSet::new();
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        for picture in pictures(&text) {
            let path = document.parent().unwrap().join(picture);
            let path = path.canonicalize();
            let path = path.unwrap_or_else(|_| panic!("{}: {picture}", document.display()));
            shown.insert(path);
        }
    }

    let folder = root.canonicalize().unwrap().join("docs/pictures");
    let (made, by_hand) = (folder.clone(), folder.join("other-apps"));
    for (folder, is_made) in [(made, true), (by_hand, false)] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "png") {
                let picture = path.display();
                assert!(shown.contains(&path), "no document shows {picture}");
                let name = path.file_stem().unwrap().to_str().unwrap();
                let is_in_script = script.contains(&format!("name: \"{name}\""));
                assert_eq!(is_in_script, is_made, "`make pictures` and {picture}");
            }
        }
    }
    assert!(shown.len() > 10, "{}", shown.len());
}

/// The anchor of a heading on GitHub.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c if c.is_alphanumeric() => c.to_lowercase().next(),
        _ => None,
    });
    kept.collect()
}

#[test]
fn every_link_between_documents_leads_to_an_existing_file_and_heading() {
    let mut checked = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        let links = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split_once(')').map(|(link, _)| link));
        let links = links.filter(|link| !link.contains("://") && !link.starts_with("mailto:"));
        for link in links {
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => document.clone(),
                path => document.parent().unwrap().join(path),
            };
            let shown = format!("{}: {link}", document.display());
            assert!(target.exists(), "{shown}");
            if !heading.is_empty() {
                let text = std::fs::read_to_string(&target).unwrap();
                let headings = text.lines().filter(|line| line.starts_with('#'));
                let mut anchors = headings.map(|line| anchor(line.trim_start_matches('#').trim()));
                assert!(anchors.any(|anchor| anchor == heading), "{shown}");
            }
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}

/// The packages that `.ci/plugins` installs, with their versions. tests/plugins checks Home Assistant's, which isn't one of them.
fn pinned_packages(script: &str) -> Vec<(&str, &str)> {
    let words = script.split(|one: char| one.is_whitespace() || one == '"');
    let pinned = words.filter_map(|word| word.split_once("==").or_else(|| word.rsplit_once('@')));
    let is_version = |version: &str| version.starts_with(|one: char| one.is_ascii_digit());
    pinned.filter(|(_, version)| is_version(version)).collect()
}

#[test]
fn the_versions_of_packages_in_the_documents_are_those_that_are_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = std::fs::read_to_string(root.join(".ci/plugins")).unwrap();
    let pinned = pinned_packages(&script);
    let pages = std::fs::read_dir(root.join("docs/plugins")).unwrap();
    let pages = pages.map(|entry| entry.unwrap().path());

    let mut checked = 0;
    for page in pages.chain([root.join("docs/gateway.md")]) {
        let text = std::fs::read_to_string(&page).unwrap();
        let words = text.split([' ', '\n', '(', ')', ',', ';']);
        let words = words.filter(|word| !word.is_empty()).collect::<Vec<_>>();
        for pair in words.windows(2) {
            let (name, version) = (pair[0], pair[1].trim_end_matches('.'));
            let is_named = version.contains('.') && pinned.iter().any(|(pin, _)| *pin == name);
            if is_named && version.starts_with(|one: char| one.is_ascii_digit()) {
                let page = page.display();
                assert!(
                    pinned.contains(&(name, version)),
                    "{page}: {name} {version}"
                );
                checked += 1;
            }
        }
    }
    assert!(checked >= 10, "{checked}");
}

#[test]
fn each_plug_in_has_a_page_and_the_first_pages_for_makers_are_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let stacks = std::fs::read_dir(root.join("src/assistants/plugins")).unwrap();
    let stacks = stacks
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| entry.file_name())
        .collect::<Vec<_>>();
    let stacks = stacks.iter().map(|name| name.to_str().unwrap());
    let stacks = stacks.filter(|name| !name.starts_with("porchlight"));
    let pages = stacks.map(|stack| (format!("docs/plugins/{stack}.md"), 250));
    let first = ("docs/quickstart.md".to_owned(), 550);

    let mut checked = 0;
    for (page, most) in pages.chain([first]) {
        let text = std::fs::read_to_string(root.join(&page)).expect(&page);
        let words = text.split_whitespace().count();
        assert!(words <= most, "{page}: {words} words, at most {most}");
        checked += 1;
    }
    assert!(checked > 5, "{checked}");
}

#[test]
fn each_test_that_the_table_of_the_specification_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(root.join("tests/specification.md")).unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| "));
    let cells = rows.filter_map(|row| row.trim_end_matches(" |").rsplit_once(" | "));
    let named = cells.flat_map(|(_, cell)| cell.split("<br>"));
    let named = named.filter_map(|it| it.strip_prefix('`')?.split_once("` "));
    let mut checked = 0;
    for (file, name) in named {
        let code = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        assert!(
            code.contains(name),
            "tests/specification.md: {file} has no test {name}"
        );
        checked += 1;
    }
    assert!(checked > 150, "{checked}");
}
