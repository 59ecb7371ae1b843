//! The plug-ins that connect voice stacks to the assistant's door. Each is one Python file, made of the stack's own part and
//! what all of them share. No key stands in it.

use crate::blocked_topics;
use crate::kernel::public_url::PublicUrl;

/// What all plug-ins share, in the order in which it is joined.
const SHARED: [&str; 4] = [
    include_str!("plugins/porchlight_shared/door.py"),
    include_str!("plugins/porchlight_shared/queue.py"),
    include_str!("plugins/porchlight_shared/rules.py"),
    include_str!("plugins/porchlight_shared/conversation.py"),
];

/// The last line of each file's head: above it stands what the file is for.
const HEAD_END: &str = "from __future__ import annotations\n";

/// What stands before an import of the shared modules.
const SHARED_IMPORT: &str = "from porchlight_shared.";

/// A voice stack that has a plug-in.
#[derive(Debug)]
pub struct Stack {
    /// What it is called on the command line and in the address.
    pub name: &'static str,
    /// What its makers call it.
    pub title: &'static str,
    /// The name of the file that is handed out.
    pub file: &'static str,
    /// What a user does; `{file}` is the file that was written.
    pub steps: &'static [&'static str],
    source: &'static str,
}

/// The stacks, by name.
pub const STACKS: [Stack; 4] = [
    Stack {
        name: "livekit",
        title: "LiveKit Agents (Python, 1.5 and later)",
        file: "porchlight_livekit.py",
        steps: &[
            "Put {file} beside your agent's file.",
            "Set the environment variable PORCHLIGHT_KEY to the key that 'porchlight assistant add' prints.",
            "Add one line before session.start: import porchlight_livekit; porchlight_livekit.watch(session)",
        ],
        source: include_str!("plugins/livekit/porchlight_livekit.py"),
    },
    Stack {
        name: "openai-agents",
        title: "OpenAI Agents, realtime (0.24 and later)",
        file: "porchlight_openai_agents.py",
        steps: &[
            "Put {file} beside your agent's file.",
            "Set the environment variable PORCHLIGHT_KEY to the key that 'porchlight assistant add' prints.",
            "Add one line after runner.run(), before 'async with session': import porchlight_openai_agents; porchlight_openai_agents.watch(session)",
        ],
        source: include_str!("plugins/openai-agents/porchlight_openai_agents.py"),
    },
    Stack {
        name: "pipecat",
        title: "Pipecat (1.6 and later)",
        file: "porchlight_pipecat.py",
        steps: &[
            "Leave {file} where the bot's user can read it.",
            "Set the environment variable PORCHLIGHT_KEY to the key that 'porchlight assistant add' prints.",
            "Set PIPECAT_SETUP_FILES to the path of {file}, and start the bot as always.",
        ],
        source: include_str!("plugins/pipecat/porchlight_pipecat.py"),
    },
    Stack {
        name: "xiaozhi",
        title: "xiaozhi-esp32-server (0.9)",
        file: "porchlight_xiaozhi.py",
        steps: &[
            "Put {file} into the folder plugins_func/functions of xiaozhi-server.",
            "Set the environment variables PORCHLIGHT_KEY, to the key that 'porchlight assistant add' prints, and PORCHLIGHT_FOLDER, to a folder that stays, such as data/porchlight.",
            "Start xiaozhi-server again.",
        ],
        source: include_str!("plugins/xiaozhi/porchlight_xiaozhi.py"),
    },
];

/// The stack of a name.
pub fn find_stack(name: &str) -> Option<&'static Stack> {
    STACKS.iter().find(|stack| stack.name == name)
}

impl Stack {
    /// The file that is handed out, for the server at this address.
    pub fn hand_out(&self, address: &PublicUrl) -> String {
        let (head, own) = self.source.split_once(HEAD_END).unwrap_or_default();
        let shared = SHARED.iter().map(|source| body(source));
        let shared = shared.collect::<Vec<_>>().join("\n\n");
        let mandatory = blocked_topics::instructions(blocked_topics::MANDATORY);
        let shared = assign(&shared, "ADDRESS", &address.to_string());
        let shared = assign(&shared, "MANDATORY_RULES", &mandatory);
        let own = without_shared_imports(own);
        format!("{head}{HEAD_END}\n{}\n\n\n{}\n", shared.trim(), own.trim())
    }
}

/// A shared file without its head.
fn body(source: &str) -> String {
    let (_, body) = source.split_once(HEAD_END).unwrap_or_default();
    format!("\n{}\n", without_shared_imports(body).trim())
}

/// Leaves out the imports of what is joined.
fn without_shared_imports(source: &str) -> String {
    let mut inside = false;
    let lines = source.lines().filter(|line| {
        let shared = inside || line.starts_with(SHARED_IMPORT);
        inside = shared && (inside || line.ends_with('(')) && *line != ")";
        !shared
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Gives a constant another value.
fn assign(source: &str, constant: &str, value: &str) -> String {
    let begin = format!("{constant} = ");
    // A string of JSON is also one of Python: serde escapes control characters alone.
    let value = serde_json::Value::from(value);
    let lines = source.lines().map(|line| match line.starts_with(&begin) {
        true => format!("{begin}{value}"),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_handed_out_is_one_file_with_the_address_and_the_mandatory_topics() {
        let address: PublicUrl = "https://porchlight.example".parse().unwrap();

        for stack in &STACKS {
            let file = stack.hand_out(&address);

            assert!(file.starts_with("\"\"\"Porchlight for "), "{}", stack.name);
            assert!(file.contains("\nADDRESS = \"https://porchlight.example\"\n"));
            assert!(file.contains("\nMANDATORY_RULES = \"The following topics are off limits"));
            assert!(!file.contains(SHARED_IMPORT));
            assert_eq!(file.matches(HEAD_END).count(), 1, "{}", stack.name);
        }
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
        let source = "import os\nfrom porchlight_shared.door import (\n    Door,\n)\nfrom porchlight_shared.rules import Rules\nx = 1";

        assert_eq!(without_shared_imports(source), "import os\nx = 1");
    }
}
