//! The staircase, as data: who may use whom, and which file alone may name which library.

use std::fs;
use std::path::{Path, PathBuf};

/// Each module and those it may use; everything may use `kernel`.
const STAIRCASE: [(&str, &[&str]); 14] = [
    ("main", &["cli"]),
    ("cli", &["admin", "app", "config", "identity", "server"]),
    ("config", &["identity"]),
    (
        "server",
        &[
            "app",
            "assistant",
            "activities",
            "blocked_topics",
            "children",
            "identity",
            "summary",
            "transcripts",
        ],
    ),
    (
        "admin",
        &[
            "app",
            "assistant",
            "activities",
            "blocked_topics",
            "children",
            "identity",
            "summary",
            "transcripts",
        ],
    ),
    (
        "app",
        &[
            "assistant",
            "activities",
            "blocked_topics",
            "children",
            "identity",
            "summary",
            "transcripts",
        ],
    ),
    (
        "assistant",
        &[
            "activities",
            "blocked_topics",
            "children",
            "identity",
            "summary",
            "transcripts",
        ],
    ),
    ("activities", &["children", "identity"]),
    ("blocked_topics", &["children", "identity"]),
    ("summary", &["children", "identity"]),
    ("transcripts", &["children", "identity"]),
    ("children", &["identity"]),
    ("identity", &[]),
    ("kernel", &[]),
];

/// A library and the files that may name it.
const LIBRARIES: [(&str, &[&str]); 15] = [
    ("sled", &["src/kernel/store/"]),
    ("zstd", &["src/kernel/store/", "src/server/docs.rs"]),
    ("crc32fast", &["src/kernel/store/"]),
    ("mail_send", &["src/kernel/mail/"]),
    ("mail_builder", &["src/kernel/mail/"]),
    (
        "openidconnect",
        &["src/identity/token.rs", "src/identity/provider"],
    ),
    ("foldhash", &["src/kernel/cache.rs"]),
    ("hyper_rustls", &["src/identity/provider/http.rs"]),
    (
        "hyper_util",
        &["src/server/listener", "src/identity/provider/http.rs"],
    ),
    (
        "ipnet",
        &[
            "src/config.rs",
            "src/kernel/origin.rs",
            "src/server/client.rs",
            "src/server/limits.rs",
            "src/server/limits/",
        ],
    ),
    (
        "clap",
        &["src/cli.rs", "src/cli/", "src/config.rs", "src/config/"],
    ),
    ("indicatif", &["src/cli/"]),
    ("rust_embed", &["src/server/ui.rs", "src/server/ui/"]),
    ("hyper", &["src/server/listener"]),
    (
        "poem",
        &[
            "/api.rs",
            "/api/",
            "src/server.rs",
            "src/server/",
            "src/kernel/problem.rs",
            "src/kernel/wire",
            "src/kernel/tags.rs",
        ],
    ),
];

/// The longest file, in lines; one that passes it asks to be two.
const LONGEST_FILE: usize = 420;

struct Source {
    path: String,
    text: String,
}

fn sources() -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => walk(&path, found),
                false if path.extension().is_some_and(|kind| kind == "rs") => found.push(path),
                false => {}
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    walk(&root.join("src"), &mut paths);
    let read = paths.into_iter().map(|path| Source {
        text: fs::read_to_string(&path).unwrap(),
        path: path
            .strip_prefix(root)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned(),
    });
    read.collect()
}

/// The module a file belongs to: the first part below `src`.
fn module(path: &str) -> &str {
    let below = path.strip_prefix("src/").unwrap();
    below.split(['/', '.']).next().unwrap()
}

/// Lines of code with their numbers, without comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text
        .lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line.trim_start()));
    lines.filter(|(_, line)| !line.starts_with("//"))
}

#[test]
fn nothing_points_up_or_sideways() {
    let mut offences = Vec::new();
    for source in sources()
        .iter()
        .filter(|source| source.path != "src/lib.rs")
    {
        let own = module(&source.path);
        let allowed = STAIRCASE.iter().find(|(name, _)| *name == own);
        let (_, allowed) = allowed.unwrap_or_else(|| {
            panic!(
                "{} is of a module that STAIRCASE doesn't know: add it there",
                source.path
            )
        });
        for (number, line) in code(&source.text) {
            for rest in line
                .split("crate::")
                .skip(1)
                .chain(line.split("porchlight::").skip(1))
            {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                let used = &rest[..end.unwrap_or(rest.len())];
                let known = STAIRCASE.iter().any(|(name, _)| *name == used);
                if known && used != own && used != "kernel" && !allowed.contains(&used) {
                    offences.push(format!("{}:{number} uses {used}", source.path));
                }
            }
        }
    }

    assert!(
        offences.is_empty(),
        "move the wall first, or go through a façade:\n{offences:#?}"
    );
}

#[test]
fn a_library_is_named_where_it_belongs_and_nowhere_else() {
    let mut offences = Vec::new();
    for source in &sources() {
        for (number, line) in code(&source.text) {
            for (library, homes) in LIBRARIES {
                let named = line.contains(&format!("{library}::"));
                let after = line
                    .split(&format!("{library}::"))
                    .next()
                    .unwrap_or_default();
                let part_of_a_name =
                    after.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
                if named && !part_of_a_name && !homes.iter().any(|home| source.path.contains(home))
                {
                    offences.push(format!("{}:{number} names {library}", source.path));
                }
            }
        }
    }

    assert!(offences.is_empty(), "{offences:#?}");
}

#[test]
fn a_features_store_is_named_by_its_feature_alone() {
    let mut offences = Vec::new();
    for source in &sources() {
        for (number, line) in code(&source.text) {
            let foreign = STAIRCASE.iter().any(|(name, _)| {
                *name != "kernel" && line.contains(&format!("crate::{name}::store"))
            });
            if foreign {
                offences.push(format!("{}:{number}", source.path));
            }
        }
    }

    assert!(offences.is_empty(), "go through the façade:\n{offences:#?}");
}

#[test]
fn no_file_grows_past_what_a_reader_takes_in() {
    let long = sources().into_iter().filter_map(|source| {
        let code = source.text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = code.lines().count();
        (lines > LONGEST_FILE).then(|| format!("{} has {lines} lines", source.path))
    });
    let long = long.collect::<Vec<_>>();

    assert!(long.is_empty(), "make two of each:\n{long:#?}");
}

#[test]
fn no_file_is_named_after_nothing() {
    let vague = [
        "util", "utils", "helper", "helpers", "common", "manager", "misc",
    ];
    let named = sources()
        .into_iter()
        .map(|source| source.path)
        .filter(|path| path.split(['/', '.']).any(|part| vague.contains(&part)));

    assert_eq!(named.collect::<Vec<_>>(), Vec::<String>::new());
}
