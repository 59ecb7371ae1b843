//! The contract's form: what operations share is written once, what says nothing is left out, and a reader of YAML 1.1 reads the
//! same texts.

use std::collections::BTreeMap;

use poem::http::StatusCode;
use serde_yaml::{Mapping, Value};

use super::assistant::TAG as ASSISTANTS;
use super::{mappings, operations};

/// Moves the parameters, headers and error responses that operations share to the components, and leaves out defaults.
pub fn write_once(document: &mut Value) {
    drop_defaults(document);
    drop_titles(document);
    for operation in operations(document) {
        let responses = mappings(&mut operation["responses"]);
        responses
            .filter_map(|response| response.get_mut("headers"))
            .for_each(respell);
    }
    share(document, "parameters", |operation| {
        let parameters = operation.get_mut("parameters");
        let parameters = parameters.and_then(Value::as_sequence_mut);
        let parameters = parameters.into_iter().flatten();
        let name = |it: &Value| it["name"].as_str().unwrap_or_default().to_owned();
        parameters.map(|it| (name(it), it)).collect()
    });
    share(document, "headers", |operation| {
        let responses = mappings(&mut operation["responses"]);
        let headers = responses.filter_map(|response| response.get_mut("headers"));
        headers.flat_map(named).collect()
    });
    share(document, "responses", |operation| {
        let responses = named(&mut operation["responses"]);
        let errors = responses.filter(|(status, _)| !status.starts_with(['2', '3']));
        errors.map(|(status, it)| (reason(&status), it)).collect()
    });
    leave_to_default(document);
}

/// What any operation can answer, so that `default` declares it for those of the pages. Assistants' operations list each status:
/// their document stands alone.
const OF_ANY: [&str; 5] = ["413", "415", "429", "503", "507"];

fn leave_to_default(document: &mut Value) {
    let of_pages = operations(document).filter(|operation| operation["tags"][0] != ASSISTANTS);
    for operation in of_pages {
        if let Some(responses) = operation["responses"].as_mapping_mut() {
            responses.retain(|status, response| {
                let is_shared = response.get("$ref").is_some();
                !is_shared || !OF_ANY.contains(&status.as_str().unwrap_or_default())
            });
        }
    }
}

type Named<'a> = (String, &'a mut Value);

fn named(value: &mut Value) -> impl Iterator<Item = Named<'_>> {
    let fields = value.as_mapping_mut().into_iter().flatten();
    fields.map(|(name, value)| (name.as_str().unwrap_or_default().to_owned(), value))
}

/// A status's reason phrase as one word.
fn reason(status: &str) -> String {
    let status = status.parse::<u16>().ok();
    let status = status.and_then(|status| StatusCode::from_u16(status).ok());
    let reason = status.and_then(|status| status.canonical_reason());
    reason.unwrap_or("Problem").replace(' ', "")
}

/// Moves values that occur in several places to the components: of each name the most frequent one.
fn share(document: &mut Value, component: &str, find: impl Fn(&mut Value) -> Vec<Named<'_>>) {
    let mut counts = Vec::<(String, Value, usize)>::new();
    for operation in operations(document) {
        for (name, value) in find(operation) {
            match counts
                .iter_mut()
                .find(|(of, it, _)| *of == name && it == value)
            {
                Some((.., count)) => *count += 1,
                None => counts.push((name, value.clone(), 1)),
            }
        }
    }
    let mut shared = BTreeMap::new();
    for (name, value, count) in counts {
        let most = shared.get(&name).map_or(1, |(_, most)| *most);
        if count > most {
            shared.insert(name, (value, count));
        }
    }
    for operation in operations(document) {
        for (name, value) in find(operation) {
            if shared.get(&name).is_some_and(|(shared, _)| shared == value) {
                let reference = format!("#/components/{component}/{name}");
                *value = Mapping::from_iter([("$ref".into(), reference.into())]).into();
            }
        }
    }
    let shared = shared
        .into_iter()
        .map(|(name, (value, _))| (name.into(), value));
    document["components"][component] = Mapping::from_iter(shared).into();
}

/// poem-openapi titles each schema with its own name.
fn drop_titles(document: &mut Value) {
    for (name, schema) in named(&mut document["components"]["schemas"]) {
        if schema["title"] == name.as_str() {
            schema.as_mapping_mut().map(|it| it.shift_remove("title"));
        }
    }
}

/// Spells headers' names as usual: poem-openapi writes some in capitals.
fn respell(headers: &mut Value) {
    if let Some(fields) = headers.as_mapping_mut() {
        let fields_before = std::mem::take(fields).into_iter();
        fields.extend(fields_before.map(|(name, header)| {
            let name = name.as_str().unwrap_or_default();
            let words = name.split('-').map(|word| {
                let (first, rest) = word.split_at(word.len().min(1));
                first.to_uppercase() + &rest.to_lowercase()
            });
            let usual = words.collect::<Vec<_>>().join("-").replace("Etag", "ETag");
            (usual.into(), header)
        }));
    }
}

/// Leaves out fields with their default, and writes the bounds of integers as integers.
fn drop_defaults(value: &mut Value) {
    match value {
        Value::Mapping(fields) => {
            for (name, default) in [
                ("deprecated", false),
                ("required", false),
                ("explode", true),
            ] {
                if fields.get(name) == Some(&default.into()) {
                    fields.shift_remove(name);
                }
            }
            if fields.get("type").and_then(Value::as_str) == Some("integer") {
                for bound in ["minimum", "maximum"] {
                    if let Some(bound) = fields.get_mut(bound)
                        && let Some(number) = bound.as_f64()
                    {
                        *bound = (number as i64).into();
                    }
                }
            }
            fields
                .iter_mut()
                .for_each(|(_, field)| drop_defaults(field));
        }
        Value::Sequence(items) => items.iter_mut().for_each(drop_defaults),
        _ => {}
    }
}

/// The longest line into which a whole mapping or list is written.
const LONGEST_LINE: usize = 140;

/// YAML in which each text is one in YAML 1.1, too, which many readers speak: to them `on` is true, and `20:30` a number. What fits
/// into a line is written in one, because a quarter of the file would be indentation.
pub fn yaml(document: &Value) -> String {
    let mut written = String::new();
    for (name, value) in document.as_mapping().into_iter().flatten() {
        write(value, &format!("{}:", key(name)), 2, &mut written);
    }
    written
}

/// Writes a value behind what begins its line, such as a name; what doesn't fit there goes below, indented.
fn write(value: &Value, before: &str, indent: usize, written: &mut String) {
    let is_nested = value.is_mapping() || value.is_sequence();
    let fits = |line: &String| !is_nested || before.len() + line.len() < LONGEST_LINE;
    if let Some(line) = in_a_line(value).filter(fits) {
        *written += &format!("{before} {line}\n");
        return;
    }
    let margin = " ".repeat(indent);
    match value {
        Value::Mapping(fields) => {
            // In a list, the first field is in the line of the dash.
            let mut start = if before.ends_with('-') {
                format!("{before} ")
            } else {
                *written += &format!("{before}\n");
                margin.clone()
            };
            for (name, field) in fields {
                write(
                    field,
                    &format!("{start}{}:", key(name)),
                    indent + 2,
                    written,
                );
                start.clone_from(&margin);
            }
        }
        Value::Sequence(items) => {
            *written += &format!("{before}\n");
            // A list in a list is indented, one in a field isn't.
            let dash = if before.ends_with('-') {
                indent
            } else {
                indent - 2
            };
            for item in items {
                write(item, &format!("{:dash$}-", ""), dash + 2, written);
            }
        }
        _ => {
            *written += &format!("{before} |-\n");
            for line in value.as_str().unwrap_or_default().split('\n') {
                *written += format!("{margin}{line}").trim_end();
                written.push('\n');
            }
        }
    }
}

fn key(name: &Value) -> String {
    scalar(name.as_str().unwrap_or_default())
}

/// The value in flow style; `None` if it has a text of several lines.
fn in_a_line(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => (!text.contains('\n')).then(|| scalar(text)),
        Value::Mapping(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| Some(format!("{}: {}", key(name), in_a_line(value)?)));
            Some(format!(
                "{{{}}}",
                fields.collect::<Option<Vec<_>>>()?.join(", ")
            ))
        }
        Value::Sequence(items) => {
            let items = items.iter().map(in_a_line).collect::<Option<Vec<_>>>()?;
            Some(format!("[{}]", items.join(", ")))
        }
        // JSON's numbers and truth values are YAML's.
        _ => serde_json::to_string(value).ok(),
    }
}

/// A text of one line, quoted unless it reads as a text everywhere.
fn scalar(text: &str) -> String {
    if is_plain(text) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

fn is_plain(text: &str) -> bool {
    let no_text = ["on", "off", "yes", "no", "y", "n", "true", "false", "null"];
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '$')
        && !text.ends_with(' ')
        && !text.contains(['{', '}', '[', ']', ',', ':', '#'])
        && !no_text.contains(&text.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_yaml_1_1_reads_as_something_else_is_quoted() {
        let document = serde_yaml::from_str::<Value>(
            "on: [off, 'No', y, only, 'a, b', \"it's\", '`x`', '']\nat: '07:30'\nday: 2026-11-21\nmost: 7\nnot: false",
        )
        .unwrap();

        let written = yaml(&document);

        assert_eq!(
            written,
            "'on': ['off', 'No', 'y', only, 'a, b', it's, '`x`', '']\nat: '07:30'\nday: '2026-11-21'\nmost: 7\nnot: false\n"
        );
        assert_eq!(serde_yaml::from_str::<Value>(&written).unwrap(), document);
    }

    #[test]
    fn what_does_not_fit_into_a_line_is_written_below() {
        let long = "long ".repeat(30);
        let document = serde_yaml::from_str::<Value>(&format!(
            "a: {{b: {{c: {long}}}, d: {{e: f}}}}\nlist: [{{g: \"two\\n\\nlines\", h: []}}, [{{}}, \"a\\nb\"]]"
        ))
        .unwrap();

        let written = yaml(&document);

        let long = long.trim_end();
        assert_eq!(
            written,
            format!(
                "a:\n  b:\n    c: {long}\n  d: {{e: f}}\nlist:\n- g: |-\n    two\n\n    lines\n  h: []\n-\n  - {{}}\n  - |-\n    a\n    b\n"
            )
        );
        assert_eq!(serde_yaml::from_str::<Value>(&written).unwrap(), document);
    }

    #[test]
    fn what_two_operations_share_is_a_component() {
        let operation = |limit: &str| {
            format!(
                "{{parameters: [{{name: id, in: path, deprecated: false, schema: {{type: integer, minimum: 1.0}}}}], \
                 responses: {{'404': {{description: {limit}}}}}}}"
            )
        };
        let paths = format!(
            "paths: {{/a: {{get: {}, put: {}}}}}",
            operation("same"),
            operation("same")
        );
        let mut document =
            serde_yaml::from_str::<Value>(&format!("{paths}\ncomponents: {{}}")).unwrap();

        write_once(&mut document);

        let put = &document["paths"]["/a"]["put"];
        assert_eq!(put["parameters"][0]["$ref"], "#/components/parameters/id");
        assert_eq!(
            put["responses"]["404"]["$ref"],
            "#/components/responses/NotFound"
        );
        let id = serde_yaml::from_str::<Value>(
            "{name: id, in: path, schema: {type: integer, minimum: 1}}",
        )
        .unwrap();
        assert_eq!(document["components"]["parameters"]["id"], id);
    }
}
