//! Which plug-in an assistant runs, by the `User-Agent` that each plug-in sends.

use super::{Stack, VERSION, find_stack};

/// In bytes.
const LONGEST: usize = 32;

/// A plug-in and its version. Whoever has the key chooses them, so only the known plug-ins and short plain versions count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginVersion {
    /// The stack's name, such as `home-assistant`.
    pub stack: &'static str,
    /// At most 32 of `[A-Za-z0-9._-]`.
    pub version: String,
}

impl PluginVersion {
    /// `None` if the request isn't a plug-in's.
    pub fn parse(user_agent: &str) -> Option<Self> {
        let (name, version) = user_agent.strip_prefix("porchlight-")?.split_once('/')?;
        let Stack { name: stack, .. } = find_stack(name)?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        let is_valid = (1..=LONGEST).contains(&version.len()) && version.bytes().all(is_plain);
        is_valid.then(|| Self {
            stack,
            version: version.to_owned(),
        })
    }

    /// Whether this server hands out a newer one. A version that can't be compared counts as older.
    pub fn is_older(&self) -> bool {
        self.version != VERSION && numbers(&self.version) <= numbers(VERSION)
    }
}

fn numbers(version: &str) -> Vec<u64> {
    let parts = version.split('.').map(str::parse);
    parts.map_while(Result::ok).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assistants::plugins::STACKS;

    #[test]
    fn a_user_agent_counts_if_it_names_a_plug_in_and_a_short_plain_version() {
        let longest = format!("porchlight-livekit/{}", "1".repeat(LONGEST));
        let too_long = format!("{longest}1");
        let cases = [
            ("porchlight-home-assistant/0.1.0", true),
            ("porchlight-xiaozhi/2.0.0-rc_1", true),
            (longest.as_str(), true),
            (&too_long, false),
            ("porchlight-livekit/", false),
            ("porchlight-livekit", false),
            ("porchlight-livekit/1 (x)", false),
            ("porchlight-livekit/<b>", false),
            ("porchlight-livekit/١", false),
            ("porchlight-toaster/1", false),
            ("porchlight-plugin/0", false),
            ("Mozilla/5.0 porchlight-livekit/1", false),
            ("", false),
        ];

        let found = cases.map(|(user_agent, _)| PluginVersion::parse(user_agent).is_some());

        assert_eq!(found, cases.map(|(_, expected)| expected));
    }

    #[test]
    fn what_this_server_hands_out_is_not_older() {
        for stack in &STACKS {
            let own = PluginVersion::parse(&stack.user_agent()).unwrap();

            assert_eq!((own.stack, own.is_older()), (stack.name, false));
        }
    }

    #[test]
    fn another_version_is_older_unless_its_numbers_are_higher() {
        let older = |version: &str| PluginVersion {
            stack: "livekit",
            version: version.to_owned(),
        };

        for version in ["0.0.9", "0", "x", "0.1.0-rc1"] {
            assert!(older(version).is_older(), "{version}");
        }
        for version in ["99.0.0", "99"] {
            assert!(!older(version).is_older(), "{version}");
        }
    }
}
