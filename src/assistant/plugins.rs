//! The plug-ins that connect voice stacks to the assistant API. Each is one Python file, or a folder if the stack requires one:
//! the stack's own part, and a part shared by all. They contain no key.

use std::io;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::blocked_topics;
use crate::kernel::public_url::PublicUrl;

/// The shared modules, in the order in which they are concatenated.
const SHARED: [&str; 4] = [
    include_str!("plugins/porchlight_shared/http_client.py"),
    include_str!("plugins/porchlight_shared/queue.py"),
    include_str!("plugins/porchlight_shared/rules.py"),
    include_str!("plugins/porchlight_shared/conversation.py"),
];

/// The last line of each file's head, which holds the module's docstring.
const HEAD_END: &str = "from __future__ import annotations\n";

/// The prefix of an import of the shared modules.
const SHARED_IMPORT: &str = "from porchlight_shared.";

/// In a plug-in that is a folder: the name of the shared file without its extension, and its head.
const SHARED_STEM: &str = "shared";
const SHARED_HEAD: &str = "\"\"\"What all of Porchlight's plug-ins share.\"\"\"\n\n";

/// A voice stack that has a plug-in.
#[derive(Debug)]
pub struct Stack {
    /// Its name on the command line and in URLs.
    pub name: &'static str,
    /// Its name as its developers write it.
    pub title: &'static str,
    /// The plug-in's file, or the folder of its files.
    pub path: &'static str,
    /// Instructions for the user; `{path}` is replaced by the path of the file or folder, and `{key}` by the key's name.
    steps: &'static [&'static str],
    files: &'static [Source],
    /// The path of the shared file; if `None`, the shared part is inserted into the only file.
    shared: Option<&'static str>,
}

/// A source file in this repository.
#[derive(Debug)]
struct Source {
    path: &'static str,
    text: &'static str,
}

/// A generated file.
#[derive(Debug)]
pub struct GeneratedFile {
    /// Relative to the folder chosen by the user, with slashes.
    pub path: &'static str,
    pub text: String,
}

/// Sorted by name.
pub const STACKS: [Stack; 5] = [
    Stack {
        name: "home-assistant",
        title: "Home Assistant (2026.2 and later)",
        path: "custom_components/porchlight",
        steps: &[
            "Put {path} into the folder custom_components beside Home Assistant's configuration.yaml, and start Home Assistant again.",
            "Under Settings > Devices & services, add Porchlight: give it {key}, and choose the child and the agent.",
            "Under Settings > Voice assistants, choose 'Porchlight for …' as the conversation agent, and switch off 'Prefer handling commands locally'.",
        ],
        files: &[
            Source {
                path: "custom_components/porchlight/__init__.py",
                text: include_str!(
                    "plugins/home-assistant/custom_components/porchlight/__init__.py"
                ),
            },
            Source {
                path: "custom_components/porchlight/binary_sensor.py",
                text: include_str!(
                    "plugins/home-assistant/custom_components/porchlight/binary_sensor.py"
                ),
            },
            Source {
                path: "custom_components/porchlight/config_flow.py",
                text: include_str!(
                    "plugins/home-assistant/custom_components/porchlight/config_flow.py"
                ),
            },
            Source {
                path: "custom_components/porchlight/conversation.py",
                text: include_str!(
                    "plugins/home-assistant/custom_components/porchlight/conversation.py"
                ),
            },
            Source {
                path: "custom_components/porchlight/entity.py",
                text: include_str!("plugins/home-assistant/custom_components/porchlight/entity.py"),
            },
            Source {
                path: "custom_components/porchlight/icons.json",
                text: include_str!(
                    "plugins/home-assistant/custom_components/porchlight/icons.json"
                ),
            },
            Source {
                path: "custom_components/porchlight/manifest.json",
                text: include_str!(
                    "plugins/home-assistant/custom_components/porchlight/manifest.json"
                ),
            },
            Source {
                path: "custom_components/porchlight/sensor.py",
                text: include_str!("plugins/home-assistant/custom_components/porchlight/sensor.py"),
            },
            Source {
                path: "custom_components/porchlight/strings.json",
                text: include_str!(
                    "plugins/home-assistant/custom_components/porchlight/strings.json"
                ),
            },
            Source {
                path: "custom_components/porchlight/translations/en.json",
                text: include_str!(
                    "plugins/home-assistant/custom_components/porchlight/translations/en.json"
                ),
            },
        ],
        shared: Some("custom_components/porchlight/shared.py"),
    },
    Stack {
        name: "livekit",
        title: "LiveKit Agents (Python, 1.6.5 and later, before 2)",
        path: "porchlight_livekit.py",
        steps: &[
            "Put {path} beside your agent's file.",
            "Set the environment variable PORCHLIGHT_KEY to {key}.",
            "Add one line before session.start: `import porchlight_livekit; porchlight_livekit.watch(session)`",
        ],
        files: &[Source {
            path: "porchlight_livekit.py",
            text: include_str!("plugins/livekit/porchlight_livekit.py"),
        }],
        shared: None,
    },
    Stack {
        name: "openai-agents",
        title: "OpenAI Agents, realtime (0.24 and later, before 1)",
        path: "porchlight_openai_agents.py",
        steps: &[
            "Put {path} beside your agent's file.",
            "Set the environment variable PORCHLIGHT_KEY to {key}.",
            "Add one line after runner.run(), before 'async with session': `import porchlight_openai_agents; porchlight_openai_agents.watch(session)`",
        ],
        files: &[Source {
            path: "porchlight_openai_agents.py",
            text: include_str!("plugins/openai-agents/porchlight_openai_agents.py"),
        }],
        shared: None,
    },
    Stack {
        name: "pipecat",
        title: "Pipecat (1.6 and later, before 2)",
        path: "porchlight_pipecat.py",
        steps: &[
            "Leave {path} where the bot's user can read it.",
            "Set the environment variable PORCHLIGHT_KEY to {key}.",
            "Set PIPECAT_SETUP_FILES to the full path of {path}, and start the bot as always.",
        ],
        files: &[Source {
            path: "porchlight_pipecat.py",
            text: include_str!("plugins/pipecat/porchlight_pipecat.py"),
        }],
        shared: None,
    },
    Stack {
        name: "xiaozhi",
        title: "xiaozhi-esp32-server (0.9)",
        path: "porchlight_xiaozhi.py",
        steps: &[
            "Put {path} into the folder plugins_func/functions of xiaozhi-server.",
            "Set the environment variables PORCHLIGHT_KEY, to {key}, and PORCHLIGHT_FOLDER, to a folder that stays, such as data/porchlight.",
            "Start xiaozhi-server again.",
        ],
        files: &[Source {
            path: "porchlight_xiaozhi.py",
            text: include_str!("plugins/xiaozhi/porchlight_xiaozhi.py"),
        }],
        shared: None,
    },
];

pub fn find_stack(name: &str) -> Option<&'static Stack> {
    STACKS.iter().find(|stack| stack.name == name)
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
        let shared = shared(address);
        let files = self.files.iter().map(|file| GeneratedFile {
            path: file.path,
            text: match self.shared {
                None => join(file.text, &shared),
                Some(_) => import_neighbour(file.text),
            },
        });
        let beside = self.shared.map(|path| GeneratedFile {
            path,
            text: format!("{SHARED_HEAD}{HEAD_END}\n{shared}\n"),
        });
        files.chain(beside).collect()
    }

    /// Returns the name and content of the download: the file, or a `.tar.gz` of the folder.
    pub fn download(&self, address: &PublicUrl) -> (String, Vec<u8>) {
        let mut files = self.generate_files(address);
        match self.shared {
            None => {
                let text = files.pop().map(|file| file.text).unwrap_or_default();
                (self.path.to_owned(), text.into_bytes())
            }
            Some(_) => {
                let content = archive(&files).expect("writing to memory does not fail");
                (format!("porchlight-{}.tar.gz", self.name), content)
            }
        }
    }
}

fn archive(files: &[GeneratedFile]) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for file in files {
        let mut header = tar::Header::new_gnu();
        header.set_mode(0o644);
        header.set_size(file.text.len() as u64);
        archive.append_data(&mut header, file.path, file.text.as_bytes())?;
    }
    archive.into_inner()?.finish()
}

/// The shared modules, concatenated.
fn shared(address: &PublicUrl) -> String {
    let shared = SHARED.map(body).join("\n\n");
    let mandatory = blocked_topics::instructions(blocked_topics::MANDATORY);
    let shared = assign(&shared, "ADDRESS", &address.to_string());
    let shared = assign(&shared, "MANDATORY_RULES", &mandatory);
    shared.trim().to_owned()
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
    fn a_folder_is_downloaded_as_an_archive_of_its_files() {
        let (name, content) = FOLDER.download(&address());

        assert_eq!(name, "porchlight-folder.tar.gz");
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(content.as_slice()));
        let entries = archive.entries().unwrap().map(|entry| {
            let mut entry = entry.unwrap();
            let path = entry.path().unwrap().to_str().unwrap().to_owned();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            (path, text)
        });
        let entries = entries.collect::<Vec<_>>();
        assert_eq!(
            entries[0],
            (
                "parts/porchlight/__init__.py".to_owned(),
                "from .shared import (\n    HttpClient,\n)\n".to_owned()
            )
        );
        assert_eq!(entries[2].0, "parts/porchlight/shared.py");
        assert_eq!(entries.len(), 3);
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
