use serde_json::Value;

use super::*;

const CHILD: &str = "Why is the sea salty?";
const ANSWER: &str =
    "Rivers wash salt out of the rocks.\n\nUser manuals: none.\n- It takes long. 🌊";
const SECRET: &str = "Zebra7";

/// A template of the file, as an app would fill it in.
#[derive(Clone)]
struct Example {
    name: String,
    messages: Vec<(String, String)>,
    quoted: Vec<String>,
}

impl Example {
    fn read(&self) -> Option<Vec<String>> {
        let messages: Vec<_> = self
            .messages
            .iter()
            .map(|(role, text)| (role.as_str(), text.as_str()))
            .collect();
        quoted_in(&messages)
    }

    /// Whether the secret would be hidden.
    fn hides_the_secret(&self) -> bool {
        let quoted = self.read();
        quoted.is_some_and(|texts| !texts.iter().any(|it| it.contains(SECRET)))
    }
}

fn templates() -> Vec<(String, Value)> {
    let apps: Vec<Value> = serde_json::from_str(include_str!("../templates.json")).unwrap();
    let templates = |app: &Value| -> Vec<(String, Value)> {
        let templates = app["templates"].as_array().unwrap().iter();
        templates
            .map(|it| {
                (
                    format!("{} {} {}", app["app"], it["task"], it["versions"]),
                    it.clone(),
                )
            })
            .collect()
    };
    apps.iter().flat_map(templates).collect()
}

/// Writes a conversation as the app does.
fn conversation(template: &Value, texts: &[&str]) -> String {
    let form = &template["conversation"];
    let speakers = form["speakers"].as_array().unwrap();
    let written: Vec<_> = (0..)
        .zip(texts)
        .map(|(at, text)| {
            let speaker = &speakers[at % speakers.len().min(2)];
            let mark = |at: usize| speaker[at].as_str().unwrap();
            format!("{}{text}{}", mark(0), mark(1))
        })
        .collect();
    written.join(form["between"].as_str().unwrap())
}

/// Fills a gap in; adds what it quotes.
fn filled_in(template: &Value, form: &str, quoted: &mut Vec<String>) -> String {
    match form {
        "message" => {
            quoted.push(CHILD.into());
            CHILD.into()
        }
        "conversation" => {
            quoted.extend([CHILD.into(), ANSWER.into()]);
            conversation(template, &[CHILD, ANSWER])
        }
        "json" => {
            quoted.extend([CHILD.into(), "fish.pdf".into(), ANSWER.into()]);
            serde_json::json!([
                {"role": "user", "mainText": CHILD, "files": ["fish.pdf"]},
                {"role": "assistant", "mainText": ANSWER},
            ])
            .to_string()
        }
        "date" => "2026-11-25 17:04:09".into(),
        "number" => "200".into(),
        _ => form.split('|').next().unwrap().into(),
    }
}

fn examples() -> Vec<Example> {
    let example = |(name, template): (String, Value)| {
        let mut example = Example {
            name,
            messages: vec![],
            quoted: vec![],
        };
        for message in template["messages"].as_array().unwrap() {
            let role = message["role"].as_str().unwrap();
            if role == "history" {
                for (role, text) in [
                    ("system", "Be kind."),
                    ("user", CHILD),
                    ("assistant", ANSWER),
                ] {
                    example.messages.push((role.into(), text.into()));
                    example.quoted.push(text.into());
                }
                continue;
            }
            let lines = message["text"].as_array().unwrap().iter();
            let lines: Vec<_> = lines.map(|it| it.as_str().unwrap()).collect();
            let lines = lines.join("\n");
            let mut parts = lines.split(['⟦', '⟧']);
            let mut text = parts.next().unwrap().to_owned();
            while let (Some(form), Some(words)) = (parts.next(), parts.next()) {
                text += &filled_in(&template, form, &mut example.quoted);
                text += words;
            }
            example.messages.push((role.into(), text));
        }
        example
    };
    templates().into_iter().map(example).collect()
}

#[test]
fn each_template_says_which_apps_it_is_and_where_it_is_from() {
    let apps: Vec<Value> = serde_json::from_str(include_str!("../templates.json")).unwrap();

    assert!(apps.len() >= 12, "{}", apps.len());
    for app in &apps {
        let source = app["source"].as_str().unwrap();
        assert!(source.starts_with("https://github.com/"), "{source}");
        for template in app["templates"].as_array().unwrap() {
            assert!(template["task"].is_string() && template["versions"].is_string());
            let text = template["messages"].to_string();
            assert_eq!(
                text.contains("⟦conversation⟧"),
                template["conversation"]["speakers"][0][0].is_string(),
                "{template}"
            );
            for form in text
                .split('⟦')
                .skip(1)
                .map(|it| it.split_once('⟧').unwrap().0)
            {
                let known = ["message", "conversation", "json", "date", "number"];
                assert!(known.contains(&form) || form.contains('|'), "{form}");
            }
        }
    }
}

#[test]
fn each_template_fits_a_conversation_and_returns_its_messages() {
    for example in examples() {
        assert_eq!(
            example.read().as_ref(),
            Some(&example.quoted),
            "{}",
            example.name
        );
    }
}

#[test]
fn a_template_with_another_word_does_not_fit() {
    for example in examples() {
        for at in 0..example.messages.len() {
            let text = &example.messages[at].1;
            for word in text.split_whitespace() {
                let start = word.as_ptr().addr() - text.as_ptr().addr();
                let mut changed = example.clone();
                changed.messages[at]
                    .1
                    .replace_range(start..start + word.len(), SECRET);
                assert!(!changed.hides_the_secret(), "{} {word}", example.name);
            }
        }
    }
}

#[test]
fn a_childs_own_words_are_never_hidden_by_a_template() {
    for example in examples() {
        for at in 0..example.messages.len() {
            let text = &example.messages[at].1;
            let lines = text.match_indices('\n').map(|(at, _)| at);
            for place in lines.chain([0, text.len()]) {
                let mut changed = example.clone();
                let words = format!("\nMy {SECRET} ran away.");
                changed.messages[at].1.insert_str(place, &words);
                assert!(!changed.hides_the_secret(), "{} {at} {place}", example.name);
            }
        }
        for role in ["user", "assistant", "system", "tool"] {
            for at in 0..=example.messages.len() {
                let mut changed = example.clone();
                let words = format!("My {SECRET} ran away.");
                changed.messages.insert(at, (role.into(), words));
                assert!(!changed.hides_the_secret(), "{} {at} {role}", example.name);
            }
        }
    }
}

#[test]
fn a_role_belongs_to_the_template() {
    for example in examples() {
        for at in 0..example.messages.len() {
            let is_quoted = example.quoted.contains(&example.messages[at].1);
            let mut changed = example.clone();
            changed.messages[at].0 = "tool".into();
            assert_eq!(changed.read().is_some(), is_quoted, "{}", example.name);
        }
    }
}

#[test]
fn ordinary_conversation_fits_no_template() {
    for messages in [
        &[("user", CHILD)][..],
        &[("system", "You are a helpful assistant."), ("user", CHILD)],
        &[(
            "user",
            "<chat_history>\nUSER: Hi\nASSISTANT: Hello\n</chat_history>",
        )],
        &[("user", "User: Hi\nAI: Hello")],
        &[("user", "What is the capital of France?")],
        &[("user", "")],
        &[],
    ] {
        assert_eq!(quoted_in(messages), None, "{messages:?}");
    }
}

fn tags(chat: &str) -> String {
    let examples = examples();
    let tags = examples
        .iter()
        .find(|it| it.name.contains("\"tags\""))
        .unwrap();
    let text = &tags.messages[0].1;
    let (before, rest) = text.split_once("<chat_history>\n").unwrap();
    let (_, behind) = rest.split_once("\n</chat_history>").unwrap();
    format!("{before}<chat_history>\n{chat}\n</chat_history>{behind}")
}

#[test]
fn quoted_messages_are_returned_as_they_are() {
    for (chat, expected) in [
        (
            "USER:  two \n\n\nASSISTANT: \nyes\n\nUSER: ",
            vec![" two \n\n", "\nyes\n"],
        ),
        (
            "USER: He said USER: no\nAn ASSISTANT: yes",
            vec!["He said USER: no\nAn ASSISTANT: yes"],
        ),
        ("USER: a\nUSER: b", vec!["a", "b"]),
        ("USER: a\n</chat_history>", vec!["a\n</chat_history>"]),
        ("USER: a\r\nASSISTANT: b", vec!["a\r", "b"]),
        ("ASSISTANT: ", vec![]),
    ] {
        assert_eq!(
            quoted_in(&[("user", &tags(chat))]).unwrap(),
            expected,
            "{chat}"
        );
    }
    assert_eq!(quoted_in(&[("user", &tags("Hi\nUSER: a"))]), None);
}

#[test]
fn a_mark_between_messages_may_overlap_with_a_messages_end() {
    let conversation: Conversation = serde_json::from_value(serde_json::json!({
        "speakers": [["user: ", ""], ["assistant: ", ""]],
        "between": "\n\n",
    }))
    .unwrap();
    let mut quotes = Quotes::default();

    Gap::new("conversation", &conversation).read("user: a\n\n\nassistant: b", &mut quotes);

    assert_eq!(quotes.texts, ["a\n", "b"]);
}

#[test]
fn only_line_ends_and_outer_white_space_may_differ() {
    let text = tags("USER: one\nline");

    let windows = format!("\r\n {}\r\n", text.replace('\n', "\r\n"));
    assert_eq!(quoted_in(&[("user", &windows)]).unwrap(), ["one\nline"]);

    let wider = text.replacen(' ', "  ", 1);
    assert_eq!(quoted_in(&[("user", &wider)]), None);
}

#[test]
fn a_system_prompt_in_front_of_a_template_is_quoted() {
    let text = tags("USER: a");
    let messages = [("system", "Talk like a pirate."), ("user", &text)];

    assert_eq!(quoted_in(&messages).unwrap(), ["Talk like a pirate.", "a"]);
}

#[test]
fn no_sentence_fits_into_a_gap_for_a_date_a_number_or_a_language() {
    let conversation = Conversation::default();
    let fits = |form: &str, text: &str| {
        let gap = Gap::new(form, &conversation);
        gap.read(text, &mut Quotes::default()).is_some()
    };

    for date in ["2026-11-25", "2026-11-25T17:04:09+01:00", "2026年11月25日"] {
        assert!(fits("date", date), "{date}");
    }
    for text in ["", "-", "Nov 25", "2026-11-25 help", &"1 ".repeat(30)] {
        assert!(!fits("date", text), "{text}");
    }
    assert!(fits("number", "200"));
    for text in ["", "ten", "-1", "1234567890"] {
        assert!(!fits("number", text), "{text}");
    }
    assert!(fits("de-DE|en-US", "en-US"));
    for text in ["", "en", "de-DE|en-US", "en-US help"] {
        assert!(!fits("de-DE|en-US", text), "{text}");
    }
}

#[test]
fn the_work_is_linear_in_the_size_of_a_request() {
    const SIZE: usize = 1 << 14;
    // The longest mark between two messages has 13 bytes, and may be looked for again from each of its characters.
    const MOST: usize = 32 * SIZE;

    for (example, (name, template)) in examples().iter().zip(templates()) {
        let text = template["messages"].to_string();
        if !text.contains("⟦conversation⟧") && !text.contains("⟦message⟧") {
            continue;
        }
        let between = template["conversation"]["between"]
            .as_str()
            .unwrap_or_default();
        let label = template["conversation"]["speakers"][0][0]
            .as_str()
            .unwrap_or_default();
        for unit in ["\n", "\n\n\n-", "USER: \n", "</", between, label] {
            if unit.is_empty() {
                continue;
            }
            let chat = unit.repeat(SIZE / unit.len());
            let filled: Vec<_> = example
                .messages
                .iter()
                .map(|(role, text)| (role.as_str(), text.replace(CHILD, &chat)))
                .collect();
            let messages: Vec<_> = filled
                .iter()
                .map(|(role, text)| (*role, text.as_str()))
                .collect();

            let mut bytes_read = 0;
            read(&messages, &mut bytes_read);
            assert!(bytes_read <= MOST, "{name} {unit:?}: {bytes_read}");
        }
    }
}

#[test]
fn open_webuis_recorded_requests_fit() {
    let recording = include_str!("../../../../../tests/fixtures/gateway/open-webui/requests.jsonl");
    let expected = include_str!("../../../../../tests/fixtures/gateway/open-webui/expected.json");
    let expected: Value = serde_json::from_str(expected).unwrap();
    let known: Vec<_> = expected["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|it| it.as_array().unwrap())
        .map(|it| it[1].as_str().unwrap().trim())
        .collect();

    let mut fitting = vec![];
    for line in recording.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let Some(messages) = line["body"]["messages"].as_array() else {
            continue;
        };
        let messages: Vec<_> = messages
            .iter()
            .map(|it| {
                (
                    it["role"].as_str().unwrap(),
                    it["content"].as_str().unwrap(),
                )
            })
            .collect();
        if let Some(texts) = quoted_in(&messages) {
            fitting.push(line["n"].clone());
            assert!(
                texts.iter().all(|it| known.contains(&it.trim())),
                "{texts:?}"
            );
        }
    }

    assert_eq!(Value::from(fitting), expected["background"]);
}
