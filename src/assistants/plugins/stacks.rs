//! The voice stacks that have a plug-in, with the sources of each.

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
    pub(super) steps: &'static [&'static str],
    pub(super) files: &'static [Source],
    /// The path of the shared file; if `None`, the shared part is inserted into the only file.
    pub(super) shared: Option<&'static str>,
    /// Files that only the download has, beside the folder.
    pub(super) beside: &'static [Source],
}

/// A source file in this repository.
#[derive(Debug)]
pub(super) struct Source {
    pub path: &'static str,
    pub text: &'static str,
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
                text: include_str!("home-assistant/custom_components/porchlight/__init__.py"),
            },
            Source {
                path: "custom_components/porchlight/binary_sensor.py",
                text: include_str!("home-assistant/custom_components/porchlight/binary_sensor.py"),
            },
            Source {
                path: "custom_components/porchlight/config_flow.py",
                text: include_str!("home-assistant/custom_components/porchlight/config_flow.py"),
            },
            Source {
                path: "custom_components/porchlight/conversation.py",
                text: include_str!("home-assistant/custom_components/porchlight/conversation.py"),
            },
            Source {
                path: "custom_components/porchlight/diagnostics.py",
                text: include_str!("home-assistant/custom_components/porchlight/diagnostics.py"),
            },
            Source {
                path: "custom_components/porchlight/entity.py",
                text: include_str!("home-assistant/custom_components/porchlight/entity.py"),
            },
            Source {
                path: "custom_components/porchlight/icons.json",
                text: include_str!("home-assistant/custom_components/porchlight/icons.json"),
            },
            Source {
                path: "custom_components/porchlight/manifest.json",
                text: include_str!("home-assistant/custom_components/porchlight/manifest.json"),
            },
            Source {
                path: "custom_components/porchlight/quality_scale.yaml",
                text: include_str!(
                    "home-assistant/custom_components/porchlight/quality_scale.yaml"
                ),
            },
            Source {
                path: "custom_components/porchlight/sensor.py",
                text: include_str!("home-assistant/custom_components/porchlight/sensor.py"),
            },
            Source {
                path: "custom_components/porchlight/strings.json",
                text: include_str!("home-assistant/custom_components/porchlight/strings.json"),
            },
            Source {
                path: "custom_components/porchlight/talk.py",
                text: include_str!("home-assistant/custom_components/porchlight/talk.py"),
            },
            Source {
                path: "custom_components/porchlight/translations/en.json",
                text: include_str!(
                    "home-assistant/custom_components/porchlight/translations/en.json"
                ),
            },
        ],
        shared: Some("custom_components/porchlight/shared.py"),
        // With it, the download unpacked into a repository is one that HACS installs from.
        beside: &[Source {
            path: "hacs.json",
            text: include_str!("home-assistant/hacs.json"),
        }],
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
            text: include_str!("livekit/porchlight_livekit.py"),
        }],
        shared: None,
        beside: &[],
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
            text: include_str!("openai-agents/porchlight_openai_agents.py"),
        }],
        shared: None,
        beside: &[],
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
            text: include_str!("pipecat/porchlight_pipecat.py"),
        }],
        shared: None,
        beside: &[],
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
            text: include_str!("xiaozhi/porchlight_xiaozhi.py"),
        }],
        shared: None,
        beside: &[],
    },
];

pub fn find_stack(name: &str) -> Option<&'static Stack> {
    STACKS.iter().find(|stack| stack.name == name)
}
