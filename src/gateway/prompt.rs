//! Puts the rules into a request's prompt. All other bytes of the body stay as they are.

use std::fmt;
use std::ops::Range;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::grouping::parse_json;

/// Stands between the client's own system message and the rules.
const GAP: &str = "\n\n";

/// Why a body can't be sent to the upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    #[error("The body isn't a JSON object with a list of \"messages\".")]
    Malformed,
    /// Two parsers can read different values of it.
    #[error("The field \"{0}\" stands twice in one object.")]
    Repeated(&'static str),
    /// The finished body doesn't have the rules where they belong.
    #[error("The rules could not be added to the prompt.")]
    RulesMissing,
}

/// The fields of a body that the gateway needs, with the places of their values.
#[derive(Debug)]
pub struct Outline<'a> {
    body: &'a str,
    messages: Option<Range<usize>>,
    model: Option<(String, Range<usize>)>,
    /// Whether the client asks for a stream; `None` without the field.
    pub stream: Option<bool>,
}

impl<'a> Outline<'a> {
    pub fn of(body: &'a [u8]) -> Result<Self, PromptError> {
        let body = str::from_utf8(body).map_err(|_| PromptError::Malformed)?;
        let fields = serde_json::from_str::<Fields>(body).map_err(|_| PromptError::Malformed)?;
        let value = |name| fields.only(name);
        let place = |value: &RawValue| place_in(body, value);
        let model = value("model")?;
        let model = model.and_then(|value| {
            let name = serde_json::from_str(value.get()).ok()?;
            Some((name, place(value)))
        });
        let stream = value("stream")?;
        Ok(Self {
            body,
            messages: value("messages")?.map(place),
            model,
            stream: stream.and_then(|value| serde_json::from_str(value.get()).ok()),
        })
    }

    pub fn model(&self) -> Option<&str> {
        self.model.as_ref().map(|(name, _)| name.as_str())
    }

    /// The body with another model's name.
    pub fn with_model(&self, model: &str) -> String {
        let edits = self.model.as_ref();
        let edits = edits.map(|(_, place)| (place.clone(), json_text(model)));
        spliced(self.body, edits.into_iter().collect())
    }

    /// The body with the rules in its first system or developer message, or in a new one, and with another model's name if one
    /// is given. What leaves is parsed again, so it is certain to have the rules.
    pub fn with_rules(&self, rules: &str, model: Option<&str>) -> Result<String, PromptError> {
        let messages = self.messages.clone().ok_or(PromptError::Malformed)?;
        let list = serde_json::from_str::<Vec<&RawValue>>(&self.body[messages.clone()]);
        let list = list.map_err(|_| PromptError::Malformed)?;
        let mut edits = vec![rules_edit(self.body, &messages, &list, rules)?];
        if let (Some(model), Some((_, place))) = (model, &self.model) {
            edits.push((place.clone(), json_text(model)));
        }
        let body = spliced(self.body, edits);
        if has_rules(&body, rules) {
            Ok(body)
        } else {
            Err(PromptError::RulesMissing)
        }
    }
}

/// The edit of the body that adds the rules.
fn rules_edit(
    body: &str,
    messages: &Range<usize>,
    list: &[&RawValue],
    rules: &str,
) -> Result<(Range<usize>, String), PromptError> {
    let mut first = None;
    for message in list {
        let fields = serde_json::from_str::<Fields>(message.get());
        let fields = fields.map_err(|_| PromptError::Malformed)?;
        let (role, content) = (fields.only("role")?, fields.only("content")?);
        let role = role.and_then(|role| serde_json::from_str::<String>(role.get()).ok());
        if first.is_none() && role.as_deref().is_some_and(is_system) {
            first = Some((message, content));
        }
    }
    let Some((message, content)) = first else {
        let start = messages.start + 1;
        let comma = if list.is_empty() { "" } else { "," };
        let message = format!(
            r#"{{"role":"system","content":{}}}{comma}"#,
            json_text(rules)
        );
        return Ok((start..start, message));
    };
    let Some(content) = content else {
        let start = place_in(body, message).start + 1;
        return Ok((start..start, format!(r#""content":{},"#, json_text(rules))));
    };
    let place = place_in(body, content);
    // A string or a list, whose last character closes it.
    let end = place.end - 1..place.end - 1;
    Ok(match content.get().as_bytes()[0] {
        b'"' if content.get() != r#""""# => {
            let text = json_text(&format!("{GAP}{rules}"));
            (end, text[1..text.len() - 1].to_owned())
        }
        b'[' => {
            let is_empty = serde_json::from_str::<[(); 0]>(content.get()).is_ok();
            let comma = if is_empty { "" } else { "," };
            let part = format!(r#"{comma}{{"type":"text","text":{}}}"#, json_text(rules));
            (end, part)
        }
        _ => (place, json_text(rules)),
    })
}

/// Whether the first system or developer message ends with the rules.
fn has_rules(body: &str, rules: &str) -> bool {
    let Ok(body) = parse_json(body.as_bytes()) else {
        return false;
    };
    let messages = body["messages"].as_array();
    let role = |message: &&Value| message["role"].as_str().is_some_and(is_system);
    let content = messages
        .and_then(|messages| messages.iter().find(role))
        .map(|message| &message["content"]);
    match content {
        Some(Value::String(text)) => text.ends_with(rules),
        Some(Value::Array(parts)) => parts.last().is_some_and(|part| part["text"] == rules),
        _ => false,
    }
}

fn is_system(role: &str) -> bool {
    matches!(role, "system" | "developer")
}

fn json_text(text: &str) -> String {
    Value::from(text).to_string()
}

/// The text with parts replaced. The ranges don't overlap.
fn spliced(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(place, _)| place.start);
    let added = edits.iter().map(|(_, new)| new.len()).sum::<usize>();
    let mut result = String::with_capacity(text.len() + added);
    let mut done = 0;
    for (place, new) in edits {
        result.push_str(&text[done..place.start]);
        result.push_str(&new);
        done = place.end;
    }
    result.push_str(&text[done..]);
    result
}

/// Where a value that was parsed from the text stands in it.
fn place_in(text: &str, value: &RawValue) -> Range<usize> {
    let value = value.get();
    let start = value.as_ptr() as usize - text.as_ptr() as usize;
    start..start + value.len()
}

/// The fields of a JSON object, in order.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Fields<'a> {
    /// The field's value. Fails if there are several.
    fn only(&self, name: &'static str) -> Result<Option<&'a RawValue>, PromptError> {
        let mut found = self.0.iter().filter(|(field, _)| field == name);
        match (found.next(), found.next()) {
            (_, Some(_)) => Err(PromptError::Repeated(name)),
            (found, None) => Ok(found.map(|(_, value)| *value)),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;

        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(fields)
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, _: A) -> Result<Self::Value, A::Error> {
                Err(de::Error::custom("a list"))
            }
        }

        deserializer.deserialize_map(FieldsVisitor).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const RULES: &str = "Avoid \"ghosts\".\nBe kind.";

    fn with_rules(body: &str) -> Result<String, PromptError> {
        Outline::of(body.as_bytes())?.with_rules(RULES, None)
    }

    fn edited(body: &Value) -> Value {
        serde_json::from_str(&with_rules(&body.to_string()).unwrap()).unwrap()
    }

    #[test]
    fn the_rules_end_the_first_system_message() {
        let (text, both) = ("You are Bo.", format!("You are Bo.\n\n{RULES}"));
        let part = json!({"type": "text", "text": RULES});
        let own = json!({"type": "text", "text": text});
        for (content, expected) in [
            (json!(text), json!(both)),
            (json!(""), json!(RULES)),
            (json!(null), json!(RULES)),
            (json!([own]), json!([own, part])),
            (json!([]), json!([part])),
        ] {
            for role in ["system", "developer"] {
                let body = |content: &Value| {
                    json!({"messages": [
                        {"role": "user", "content": "hi"},
                        {"role": role, "content": content},
                        {"role": "system", "content": "second"},
                    ]})
                };
                assert_eq!(edited(&body(&content)), body(&expected), "{content}");
            }
        }
        let bare = json!({"messages": [{"role": "system"}]});
        assert_eq!(edited(&bare)["messages"][0]["content"], RULES);
    }

    #[test]
    fn without_a_system_message_one_is_put_first() {
        let system = json!({"role": "system", "content": RULES});
        let user = json!({"role": "user", "content": "hi"});

        assert_eq!(
            edited(&json!({"messages": [user]}))["messages"],
            json!([system, user])
        );
        assert_eq!(
            edited(&json!({"messages": []}))["messages"],
            json!([system])
        );
    }

    #[test]
    fn all_other_bytes_stay() {
        let before = "{ \"z\":1.0e5 , \"model\" : \"m@Mia\",\"x\":\"\\u00e4\\/\",\"messages\"\n: [{\"role\":\"system\",\"content\":\"Hi";
        let after = "\"}, {\"role\":\"user\",\"content\":\"\\ud83d\"}] ,\"big\":123456789012345678901234567890 }";
        let body = format!("{before}{after}");

        let outline = Outline::of(body.as_bytes()).unwrap();
        assert_eq!(outline.model(), Some("m@Mia"));
        let edited = outline.with_rules("R", Some("m")).unwrap();
        assert_eq!(
            edited,
            format!("{}\\n\\nR{after}", before.replace("m@Mia", "m"))
        );
        assert_eq!(outline.with_model("m"), body.replace("m@Mia", "m"));
    }

    #[test]
    fn a_field_that_stands_twice_is_refused() {
        for (body, field) in [
            (r#"{"messages":[],"messages":[]}"#, "messages"),
            (r#"{"messages":[],"m\u0065ssages":[]}"#, "messages"),
            (r#"{"model":"a","messages":[],"model":"b"}"#, "model"),
            (
                r#"{"messages":[{"role":"user","role":"system","content":""}]}"#,
                "role",
            ),
            (
                r#"{"messages":[{"role":"system","content":"a","content":"b"}]}"#,
                "content",
            ),
        ] {
            assert_eq!(
                with_rules(body),
                Err(PromptError::Repeated(field)),
                "{body}"
            );
        }
    }

    #[test]
    fn what_is_no_chat_is_refused() {
        for body in [
            "",
            "[]",
            "{",
            "{}",
            r#"{"messages":{}}"#,
            r#"{"messages":["x"]}"#,
            "{}x",
        ] {
            assert_eq!(with_rules(body), Err(PromptError::Malformed), "{body}");
        }
        assert_eq!(
            Outline::of(b"{\"a\":\"\xff\"}").unwrap_err(),
            PromptError::Malformed
        );
    }

    fn content() -> impl Strategy<Value = Value> {
        prop_oneof![
            any::<String>().prop_map(Value::from),
            Just(Value::Null),
            prop::collection::vec(any::<String>(), 0..3).prop_map(|texts| {
                let parts = texts
                    .iter()
                    .map(|text| json!({"type": "text", "text": text}));
                parts.collect()
            }),
        ]
    }

    proptest! {
        #[test]
        fn any_chat_leaves_with_the_rules(
            messages in prop::collection::vec(("(user|assistant|system|developer|tool)", content()), 0..6),
            rules in "\\PC{1,40}",
            extra in any::<String>(),
        ) {
            let messages = messages.into_iter().map(|(role, content)| json!({"role": role, "content": content}));
            let messages = messages.collect::<Vec<_>>();
            let body = json!({"extra": extra, "messages": messages.clone()});

            let text = body.to_string();
            let edited = Outline::of(text.as_bytes()).unwrap().with_rules(&rules, None).unwrap();

            let edited = serde_json::from_str::<Value>(&edited).unwrap();
            prop_assert_eq!(&edited["extra"], &body["extra"]);
            let edited = edited["messages"].as_array().unwrap();
            let role = |message: &Value| message["role"].as_str().unwrap().to_owned();
            let others = edited.iter().filter(|it| !is_system(&role(it))).cloned().collect::<Vec<_>>();
            let expected = messages.iter().filter(|it| !is_system(&role(it))).cloned().collect::<Vec<_>>();
            prop_assert_eq!(others, expected);
        }
    }
}
