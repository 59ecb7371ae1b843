//! The addresses that clients use: with and without `/v1`, with slashes too many, and the server's bare address.

use super::dialect::Dialect;

/// The first segments of Ollama's API below `/api`. None of them is one of Porchlight's own.
const OLLAMA: [&str; 8] = [
    "chat",
    "embed",
    "embeddings",
    "generate",
    "ps",
    "show",
    "tags",
    "version",
];

/// The first segments of OpenAI's API, for a base URL without `/v1`. None of them is a page of the app.
const OPENAI: [&str; 5] = ["chat", "completions", "embeddings", "models", "responses"];

/// The path as the operations have it; `None` if it isn't below `/gateway`. Clients are given a base URL with `/v1` or without,
/// and some append it again.
pub fn canonical(path: &str) -> Option<String> {
    let below = path.trim_start_matches('/').strip_prefix("gateway")?;
    if !below.is_empty() && !below.starts_with('/') {
        return None;
    }
    let segments = segments(below).skip_while(|segment| *segment == "v1");
    let rest = segments.collect::<Vec<_>>();
    let form = if rest.first() == Some(&"api") {
        "/gateway"
    } else {
        "/gateway/v1"
    };
    let rest = rest.into_iter().flat_map(|segment| ["/", segment]);
    Some([form].into_iter().chain(rest).collect())
}

/// The API of a client that was given the server's bare address; `None` if the path is something else.
pub fn misdirected(path: &str) -> Option<Dialect> {
    let mut segments = segments(path);
    match (segments.next()?, segments.next()) {
        ("api", Some(call)) if OLLAMA.contains(&call) => Some(Dialect::Ollama),
        ("v1", _) => Some(Dialect::OpenAi),
        ("chat", call) => (call == Some("completions")).then_some(Dialect::OpenAi),
        (call, _) if OPENAI.contains(&call) => Some(Dialect::OpenAi),
        _ => None,
    }
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_v1_once_and_no_slash_too_many() {
        for (path, expected) in [
            (
                "/gateway/v1/chat/completions",
                "/gateway/v1/chat/completions",
            ),
            ("/gateway/chat/completions", "/gateway/v1/chat/completions"),
            (
                "//gateway//v1//chat/completions/",
                "/gateway/v1/chat/completions",
            ),
            (
                "/gateway/v1/v1/chat/completions",
                "/gateway/v1/chat/completions",
            ),
            ("/gateway/models", "/gateway/v1/models"),
            (
                "/gateway/models/org/model:7b@Mia",
                "/gateway/v1/models/org/model:7b@Mia",
            ),
            ("/gateway/api/chat", "/gateway/api/chat"),
            ("/gateway/v1/api/chat", "/gateway/api/chat"),
            ("/gateway/", "/gateway/v1"),
            ("/gateway/v1/../v1/models", "/gateway/v1/../v1/models"),
        ] {
            assert_eq!(canonical(path).as_deref(), Some(expected), "{path}");
        }
        for path in ["/", "/gateways/v1/models", "/v1/gateway", "/api/chat"] {
            assert_eq!(canonical(path), None, "{path}");
        }
    }

    #[test]
    fn a_bare_address_is_recognised_by_the_call() {
        for (path, expected) in [
            ("/v1/models", Some(Dialect::OpenAi)),
            ("//v1/chat/completions/", Some(Dialect::OpenAi)),
            ("/chat/completions", Some(Dialect::OpenAi)),
            ("/models", Some(Dialect::OpenAi)),
            ("/api/tags", Some(Dialect::Ollama)),
            ("/api/chat/", Some(Dialect::Ollama)),
            ("/chat", None),
            ("/child/1/summary", None),
            ("/api/children", None),
            ("/api/child/1/summary", None),
            ("/api", None),
            ("/", None),
        ] {
            assert_eq!(misdirected(path), expected, "{path}");
        }
    }

    #[test]
    fn no_operation_and_no_page_is_taken_for_a_bare_address() {
        let contract = include_str!("../../../openapi.yaml").lines();
        let operations = contract.filter_map(|line| line.strip_prefix("  '/")?.strip_suffix("':"));
        let operations = operations.map(|path| format!("/api/{path}"));
        let pages = include_str!("../../../ui/src/paths.ts").split(['"', '`']);
        let pages = pages
            .filter(|text| text.starts_with('/'))
            .map(str::to_owned);
        let all = operations.chain(pages).collect::<Vec<_>>();

        assert!(all.len() > 60, "{all:?}");
        for path in all {
            assert_eq!(misdirected(&path), None, "{path}");
        }
    }
}
