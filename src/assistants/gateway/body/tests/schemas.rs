//! Bodies made of the names that the schemas of OpenAI, Ollama, vLLM and llama.cpp have, with texts in all places.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use super::*;

mod folding;

const SCHEMAS: [(Dialect, &str); 5] = [
    (Dialect::OpenAi, "openai"),
    (Dialect::OpenAi, "vllm"),
    (Dialect::OpenAi, "llama-cpp"),
    (Dialect::OpenAi, "ollama-openai"),
    (Dialect::Ollama, "ollama"),
];

/// The objects of a dialect's schemas, each with a name in it.
fn names(dialect: Dialect) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/gateway-fields");
    let schemas = SCHEMAS.iter().filter(|(of, _)| *of == dialect);
    let mut names = BTreeSet::new();
    for (_, schema) in schemas {
        let text = std::fs::read_to_string(folder.join(format!("{schema}.txt"))).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let pairs = lines.filter_map(|line| line.split_once(' '));
        names.extend(pairs.map(|(object, name)| (object.to_owned(), name.to_owned())));
    }
    names.into_iter().collect()
}

fn levels(dialect: Dialect, object: &str) -> Vec<ObjectType> {
    let of = |openai, ollama| match dialect {
        Dialect::OpenAi => openai,
        Dialect::Ollama => ollama,
    };
    match object {
        "body" => vec![of(ObjectType::OpenAi, ObjectType::Ollama)],
        "message" => vec![
            of(ObjectType::OpenAiMessage, ObjectType::OllamaMessage),
            ObjectType::AssistantMessage,
        ],
        "options" => vec![ObjectType::OllamaOptions],
        "stream_options" => vec![ObjectType::StreamOptions],
        "reasoning" => vec![ObjectType::Reasoning],
        "tool_call" => vec![ObjectType::ToolCall],
        "function" => vec![ObjectType::Function],
        "custom" => vec![ObjectType::CustomCall],
        "text" => vec![ObjectType::TextPart],
        "refusal" => vec![ObjectType::RefusalPart],
        "image_url" => vec![ObjectType::PicturePart],
        "picture" => vec![ObjectType::PictureAddress],
        "input_audio" => vec![ObjectType::SoundPart],
        "sound" => vec![ObjectType::Sound],
        "file" => vec![ObjectType::FilePart],
        "file_data" => vec![ObjectType::File],
        _ => panic!("{object} has no level"),
    }
}

#[test]
fn each_name_of_the_schemas_has_a_row() {
    for dialect in [Dialect::OpenAi, Dialect::Ollama] {
        for (object, name) in names(dialect) {
            let row = fields::rule(&levels(dialect, &object), &name);
            assert!(
                row.is_some(),
                "{object} {name}: add it to gateway/body/fields.rs"
            );
        }
    }
}

/// Makes bodies. The same number makes the same body.
struct Maker {
    state: u64,
    dialect: Dialect,
    names: Vec<(String, String)>,
    /// How many texts were made. Each has a number.
    texts: usize,
}

impl Maker {
    fn new(seed: u64, dialect: Dialect, names: &[(String, String)]) -> Self {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let names = names.to_vec();
        Self {
            state,
            dialect,
            names,
            texts: 0,
        }
    }

    /// A number below this one.
    fn below(&mut self, bound: usize) -> usize {
        // xorshift64*
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let number = self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(number).unwrap() % bound
    }

    /// One of these. The last one is rare, because it is refused.
    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        let is_rare = self.below(20) == 0;
        let at = self.below(all.len() - usize::from(!is_rare));
        all[at]
    }

    fn text(&mut self) -> Value {
        self.texts += 1;
        json!(format!("secret {} text", self.texts))
    }

    /// A value where any may stand.
    fn any(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 6 } else { 9 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(100)),
            3 => json!("auto"),
            4 | 5 => self.text(),
            6 => {
                let length = self.below(3);
                (0..length).map(|_| self.any(depth - 1)).collect()
            }
            _ => {
                let length = self.below(3);
                let fields = (0..length).map(|_| {
                    let at = self.below(self.names.len());
                    (self.names[at].1.clone(), self.any(depth - 1))
                });
                Value::Object(fields.collect())
            }
        }
    }

    /// An object of the schemas, with a few of its names.
    fn object(&mut self, object: &str, least: &[&str]) -> Value {
        let known = self.names.iter().filter(|(of, _)| of == object);
        let known = known.map(|(_, name)| name.clone()).collect::<Vec<_>>();
        let mut chosen = least
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<BTreeSet<_>>();
        for _ in 0..self.below(4) {
            if !known.is_empty() {
                let at = self.below(known.len());
                chosen.insert(known[at].clone());
            }
        }
        if self.below(20) == 0 {
            chosen.insert("Content".to_owned());
        }
        let fields = chosen.into_iter().map(|name| {
            let value = self.field(object, &name);
            (name, value)
        });
        Value::Object(fields.collect())
    }

    /// Mostly what belongs there, so that many bodies pass.
    fn field(&mut self, object: &str, name: &str) -> Value {
        if self.below(12) == 0 {
            return self.any(2);
        }
        match (object, name) {
            ("body", "messages") => {
                let length = self.below(4);
                (0..length)
                    .map(|_| self.object("message", &["role", "content"]))
                    .collect()
            }
            ("message", "role") => {
                let roles = [
                    "system",
                    "developer",
                    "user",
                    "assistant",
                    "tool",
                    "function",
                    "User",
                ];
                json!(self.one_of(&roles))
            }
            ("message", "content") => match self.below(3) {
                0 => {
                    let length = self.below(3);
                    (0..length).map(|_| self.part()).collect()
                }
                _ => self.text(),
            },
            ("message", "tool_calls") => {
                json!([self.object("tool_call", &["function"])])
            }
            ("tool_call" | "message", "function" | "function_call") => {
                self.object("function", &["name", "arguments"])
            }
            ("tool_call", "custom") => self.object("custom", &["name", "input"]),
            ("tool_call", "id") | ("message", "tool_call_id") => json!("call_1"),
            ("function", "arguments") if self.dialect == Dialect::Ollama => {
                json!({"a": self.text()})
            }
            ("body", "options") => self.object("options", &[]),
            ("body", "stream_options") => self.object("stream_options", &[]),
            ("body", "n" | "n_cmpl") => json!(1),
            ("body", "stream" | "add_generation_prompt") => json!(true),
            ("body", "continue_final_message") => json!(false),
            ("body", _) if self.is_refused(name) => Value::Null,
            ("picture", "url") | ("image_url", "image_url") => json!("data:image/png;base64,AA=="),
            ("sound", "data") | ("file_data", "file_data") => json!("AA=="),
            ("file_data", "file_id") => Value::Null,
            ("file_data", "filename") => self.text(),
            ("message", "images") => json!(["AA=="]),
            (_, "type" | "format" | "detail" | "index") => json!("auto"),
            ("message" | "text" | "refusal" | "function" | "custom", _) => self.text(),
            _ => self.any(2),
        }
    }

    fn is_refused(&mut self, name: &str) -> bool {
        let row = fields::rule(&levels(self.dialect, "body"), name);
        self.below(10) != 0 && matches!(row, Some((_, fields::FieldPolicy::Refused)))
    }

    fn part(&mut self) -> Value {
        let kinds = [
            ("text", "text", ""),
            ("text", "text", ""),
            ("refusal", "refusal", ""),
            ("image_url", "image_url", "picture"),
            ("input_audio", "input_audio", "sound"),
            ("file", "file", "file_data"),
            ("video_url", "video_url", ""),
        ];
        let (kind, field, inner) = self.one_of(&kinds);
        let mut part = self.object(kind, &[field]);
        part["type"] = json!(kind);
        if !inner.is_empty() {
            let least = match inner {
                "picture" => "url",
                "sound" => "data",
                _ => "file_data",
            };
            part[field] = self.object(inner, &[least]);
        }
        part
    }
}

/// The numbers of the texts that stand somewhere in this.
fn secrets(text: &str) -> BTreeSet<usize> {
    let found = text.split("secret ").skip(1);
    let found = found.filter_map(|rest| rest.split_once(" text")?.0.parse().ok());
    found.collect()
}

/// All that is kept of a request.
fn kept(chat: &ChatBody<'_>) -> String {
    let mut kept = String::new();
    for message in chat.messages() {
        write!(kept, "{message:?} ").unwrap();
    }
    for (name, json) in chat.instructions() {
        write!(kept, "{name} {json} ").unwrap();
    }
    kept
}

/// Bodies of a dialect, with what is sent to a model for each; without those that are refused.
fn sent(dialect: Dialect) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let names = names(dialect);
    for seed in 1..=3_000 {
        let mut maker = Maker::new(seed, dialect, &names);
        let body = maker.object("body", &["messages", "model"]).to_string();
        let Ok(chat) = ChatBody::read(dialect, body.as_bytes()) else {
            continue;
        };
        let left = chat
            .compose(RULES, "m")
            .unwrap_or_else(|error| panic!("{error}: {body}"));
        all.push((body, left));
    }
    all
}

#[test]
fn every_text_that_leaves_is_kept() {
    for dialect in [Dialect::OpenAi, Dialect::Ollama] {
        let sent = sent(dialect);
        assert!(sent.len() > 500, "{} bodies passed", sent.len());
        let mut texts = 0;
        for (body, left) in sent {
            let chat = ChatBody::read(dialect, body.as_bytes()).unwrap();
            let (kept, left_texts) = (secrets(&kept(&chat)), secrets(&left));
            texts += left_texts.len();
            assert!(left_texts.is_subset(&kept), "{body}\n{left}");
        }
        assert!(texts > 500, "{texts} texts");
    }
}

#[test]
fn a_parser_without_regard_to_case_reads_the_same_messages() {
    for dialect in [Dialect::OpenAi, Dialect::Ollama] {
        for (body, left) in sent(dialect) {
            let chat = ChatBody::read(dialect, body.as_bytes()).unwrap();
            let folded = folding::parse(&left);
            assert_eq!(folded, serde_json::from_str::<Value>(&left).unwrap());

            let messages = folded["messages"].as_array().unwrap();
            let added = messages.len() - chat.messages().len();
            assert_eq!(added, usize::from(chat.system.is_none()));
            let mut system = messages
                .iter()
                .filter(|message| message["role"] == "system");
            let first = system.next().unwrap();
            assert!(first["content"].to_string().contains("ghosts"), "{left}");
            for (message, own) in messages[added..].iter().zip(chat.messages()) {
                let texts = secrets(&message["content"].to_string());
                assert!(texts.is_subset(&secrets(&own.text)), "{message} {own:?}");
            }
        }
    }
}

#[test]
fn the_parser_without_regard_to_case_takes_the_last_name() {
    let folded = folding::parse(r#"{"Messages":[{"ROLE":1}],"meſſages":[{"role":2}]}"#);
    assert_eq!(folded, json!({"messages": [{"role": 2}]}));
}

/// For the parsers of others: run by `tests/plugins/test_gateway_bodies.py`, which names the file.
#[test]
fn bodies_are_written_for_other_parsers() {
    let Some(path) = std::env::var_os("PORCHLIGHT_TEST_BODIES") else {
        return;
    };
    let mut lines = String::new();
    for (body, left) in sent(Dialect::OpenAi).into_iter().take(400) {
        let chat = ChatBody::read(Dialect::OpenAi, body.as_bytes()).unwrap();
        let messages = chat
            .messages()
            .iter()
            .map(|message| json!({"role": format!("{:?}", message.role), "text": message.text}));
        let messages = messages.collect::<Value>();
        writeln!(
            lines,
            "{}",
            json!({"sent": left, "rules": RULES, "messages": messages, "kept": kept(&chat)})
        )
        .unwrap();
    }
    std::fs::write(path, lines).unwrap();
}
