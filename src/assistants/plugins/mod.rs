//! The plug-ins that connect voice stacks to the assistant API. Each is one Python file, or a folder if the stack requires one:
//! the stack's own part, and a part shared by all. They contain no key. Their version is the server's.

mod archive;
mod plugin_version;
mod stacks;

use crate::kernel::host::public_url::PublicUrl;
use crate::rules::blocked_topics;

pub use plugin_version::PluginVersion;
pub use stacks::{STACKS, Stack, find_stack};

/// The shared modules, in the order in which they are concatenated.
const SHARED: [&str; 4] = [
    include_str!("porchlight_shared/http_client.py"),
    include_str!("porchlight_shared/queue.py"),
    include_str!("porchlight_shared/rules.py"),
    include_str!("porchlight_shared/conversation.py"),
];

/// The version of each plug-in that this server hands out.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What is filled into Home Assistant's manifest.
const MANIFEST: &str = "manifest.json";
const MANIFEST_VERSION: &str = r#""version": "0""#;
const MANIFEST_ADDRESS: &str = "http://127.0.0.1:8080";

/// The last line of each file's head, which holds the module's docstring.
const HEAD_END: &str = "from __future__ import annotations\n";

/// The prefix of an import of the shared modules.
const SHARED_IMPORT: &str = "from porchlight_shared.";

/// In a plug-in that is a folder: the name of the shared file without its extension, and its head.
const SHARED_STEM: &str = "shared";
const SHARED_HEAD: &str = "\"\"\"What all of Porchlight's plug-ins share.\"\"\"\n\n";

/// A generated file.
#[derive(Debug)]
pub struct GeneratedFile {
    /// Relative to the folder chosen by the user, with slashes.
    pub path: &'static str,
    pub text: String,
}

impl Stack {
    pub fn steps(&self, path: &str, key: &str) -> Vec<String> {
        let steps = self.steps.iter();
        steps
            .map(|step| step.replace("{path}", path).replace("{key}", key))
            .collect()
    }

    /// Generates the files, with this server's URL.
    pub fn generate_files(&self, address: &PublicUrl) -> Vec<GeneratedFile> {
        let shared = shared(address, &self.user_agent());
        let files = self.files.iter().map(|file| GeneratedFile {
            path: file.path,
            text: match self.shared {
                None => join(file.text, &shared),
                Some(_) if file.path.ends_with(MANIFEST) => fill_manifest(file.text, address),
                Some(_) => import_neighbour(file.text),
            },
        });
        let beside = self.shared.map(|path| GeneratedFile {
            path,
            text: format!("{SHARED_HEAD}{HEAD_END}\n{shared}\n"),
        });
        files.chain(beside).collect()
    }

    /// The `User-Agent` of its requests.
    pub fn user_agent(&self) -> String {
        format!("porchlight-{}/{VERSION}", self.name)
    }

    /// Returns the name and content of the download: the file, or a ZIP of the folder.
    pub fn download(&self, address: &PublicUrl) -> (String, Vec<u8>) {
        let mut files = self.generate_files(address);
        match self.shared {
            None => {
                let text = files.pop().map(|file| file.text).unwrap_or_default();
                (self.path.to_owned(), text.into_bytes())
            }
            Some(_) => {
                let beside = self.beside.iter().map(|file| (file.path, file.text));
                let files = files.iter().map(|file| (file.path, file.text.as_str()));
                let content = archive::zip(beside.chain(files));
                let content = content.expect("a plug-in is small, and memory can be written");
                (format!("porchlight-{}.zip", self.name), content)
            }
        }
    }
}

/// The shared modules, concatenated.
fn shared(address: &PublicUrl, user_agent: &str) -> String {
    let shared = SHARED.map(body).join("\n\n");
    let mandatory = blocked_topics::instructions(blocked_topics::MANDATORY);
    let shared = assign(&shared, "ADDRESS", &address.to_string());
    let shared = assign(&shared, "USER_AGENT", user_agent);
    let shared = assign(&shared, "MANDATORY_RULES", &mandatory);
    shared.trim().to_owned()
}

/// Fills in the version, and this server's address as the one where a user reads more.
fn fill_manifest(text: &str, address: &PublicUrl) -> String {
    text.replace(MANIFEST_VERSION, &format!(r#""version": "{VERSION}""#))
        .replace(MANIFEST_ADDRESS, &address.to_string())
}

/// Builds a plug-in that is one file.
fn join(source: &str, shared: &str) -> String {
    let (head, own) = source.split_once(HEAD_END).unwrap_or_default();
    let own = without_shared_imports(own);
    format!("{head}{HEAD_END}\n{shared}\n\n\n{}\n", own.trim())
}

/// Returns a shared file without its head.
fn body(source: &str) -> String {
    let (_, body) = source.split_once(HEAD_END).unwrap_or_default();
    format!("\n{}\n", without_shared_imports(body).trim())
}

/// Rewrites imports of the shared modules to import the file in the same folder.
fn import_neighbour(source: &str) -> String {
    let lines = source
        .lines()
        .map(|line| match line.split_once(" import ") {
            Some((from, names)) if from.starts_with(SHARED_IMPORT) => {
                format!("from .{SHARED_STEM} import {names}\n")
            }
            _ => format!("{line}\n"),
        });
    lines.collect()
}

/// Removes the imports of the shared modules.
fn without_shared_imports(source: &str) -> String {
    let mut inside = false;
    let lines = source.lines().filter(|line| {
        let shared = inside || line.starts_with(SHARED_IMPORT);
        inside = shared && (inside || line.ends_with('(')) && *line != ")";
        !shared
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Replaces the value of a constant.
fn assign(source: &str, constant: &str, value: &str) -> String {
    let begin = format!("{constant} = ");
    // A JSON string is also a valid Python literal: serde escapes only quotes, backslashes and control characters.
    let value = serde_json::Value::from(value);
    let lines = source.lines().map(|line| {
        if line.starts_with(&begin) {
            format!("{begin}{value}")
        } else {
            line.to_owned()
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::assistants::plugins::stacks::Source;

    const FOLDER: Stack = Stack {
        name: "folder",
        title: "A folder",
        path: "parts/porchlight",
        steps: &[],
        files: &[
            Source {
                path: "parts/porchlight/__init__.py",
                text: "from porchlight_shared.http_client import (\n    HttpClient,\n)\n",
            },
            Source {
                path: "parts/porchlight/manifest.json",
                text: "{}\n",
            },
        ],
        shared: Some("parts/porchlight/shared.py"),
        beside: &[Source {
            path: "about.json",
            text: "{}\n",
        }],
    };

    fn address() -> PublicUrl {
        "https://porchlight.example".parse().unwrap()
    }

    #[test]
    fn a_plug_in_contains_the_servers_url_and_the_mandatory_topics_once() {
        for stack in STACKS.iter().chain([&FOLDER]) {
            let files = stack.generate_files(&address());

            let all = files.iter().map(|file| file.text.as_str());
            let all = all.collect::<Vec<_>>().join("\n");
            let count = |part: &str| all.matches(part).count();
            assert_eq!(count("\nADDRESS = \"https://porchlight.example\"\n"), 1);
            assert_eq!(
                count("\nMANDATORY_RULES = \"The following topics are off limits"),
                1
            );
            assert!(!all.contains(SHARED_IMPORT), "{}", stack.name);
            for file in &files {
                assert!(file.text.matches(HEAD_END).count() <= 1, "{}", file.path);
                assert!(file.path.starts_with(stack.path), "{}", file.path);
            }
        }
    }

    #[test]
    fn a_single_file_plug_in_starts_with_a_docstring() {
        for stack in STACKS.iter().filter(|stack| stack.shared.is_none()) {
            let (name, content) = stack.download(&address());

            assert_eq!(name, stack.path);
            assert!(content.starts_with(b"\"\"\"Porchlight for "), "{name}");
        }
    }

    #[test]
    fn a_plug_in_names_itself_with_the_servers_version() {
        for stack in STACKS {
            let files = stack.generate_files(&address());

            let line = format!(
                "\nUSER_AGENT = \"porchlight-{}/{}\"\n",
                stack.name,
                env!("CARGO_PKG_VERSION")
            );
            let named = files.iter().filter(|file| file.text.contains(&line));
            assert_eq!(named.count(), 1, "{}", stack.name);
        }
    }

    #[test]
    fn home_assistants_manifest_has_the_servers_version_and_url() {
        let files = find_stack("home-assistant")
            .unwrap()
            .generate_files(&address());

        let manifest = files.iter().find(|file| file.path.ends_with(MANIFEST));
        let manifest: serde_json::Value = serde_json::from_str(&manifest.unwrap().text).unwrap();
        assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(manifest["documentation"], "https://porchlight.example/");
    }

    #[test]
    fn a_folder_holds_each_of_its_source_files() {
        let root = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/src/assistants/plugins/home-assistant/"
        );
        let stack = find_stack("home-assistant").unwrap();
        let folder = format!("{root}{}", stack.path);
        let listed = std::fs::read_dir(&folder).unwrap();
        let listed = listed.map(|entry| entry.unwrap());
        let sources = listed.filter(|entry| entry.file_type().unwrap().is_file());

        for source in sources {
            let name = source.file_name().into_string().unwrap();
            let is_held = stack
                .files
                .iter()
                .any(|file| file.path == format!("{}/{name}", stack.path));
            assert!(is_held, "{name}");
        }
    }

    #[test]
    fn a_folder_is_downloaded_as_a_zip_of_its_files() {
        let (name, content) = FOLDER.download(&address());

        assert_eq!(name, "porchlight-folder.zip");
        let files = unzip(&content);
        assert_eq!(
            files[1],
            (
                "parts/porchlight/__init__.py".to_owned(),
                "from .shared import (\n    HttpClient,\n)\n".to_owned()
            )
        );
        let paths = files.iter().map(|(path, _)| path.as_str());
        assert_eq!(
            paths.collect::<Vec<_>>(),
            [
                "about.json",
                "parts/porchlight/__init__.py",
                "parts/porchlight/manifest.json",
                "parts/porchlight/shared.py"
            ]
        );
    }

    /// Reads an archive by its local headers. tests/plugins has another reader unpack one.
    fn unzip(mut archive: &[u8]) -> Vec<(String, String)> {
        let mut files = Vec::new();
        while let Some(rest) = archive.strip_prefix(b"PK\x03\x04") {
            let size = u32::from_le_bytes(rest[14..18].try_into().unwrap()) as usize;
            let (name, rest) = rest[26..].split_at(usize::from(rest[22]));
            let (content, rest) = rest.split_at(size);
            let mut text = String::new();
            let mut content = flate2::read::DeflateDecoder::new(content);
            content.read_to_string(&mut text).unwrap();
            files.push((String::from_utf8(name.to_vec()).unwrap(), text));
            archive = rest;
        }
        files
    }

    #[test]
    fn a_stack_has_at_most_three_steps() {
        assert!(
            STACKS
                .iter()
                .all(|stack| (1..=3).contains(&stack.steps.len()))
        );
    }

    #[test]
    fn an_import_over_several_lines_is_left_out_as_a_whole() {
        let source = "import os\nfrom porchlight_shared.http_client import (\n    HttpClient,\n)\nfrom porchlight_shared.rules import Rules\nx = 1";

        assert_eq!(without_shared_imports(source), "import os\nx = 1");
    }
}
