//! Serves the contract and the page to try it out: `/api/openapi.yaml`, `/api/openapi.json`, `/api/docs`; and the part for
//! assistants: `/api/assistant/openapi.json`.

mod assistant;
mod form;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::marker::PhantomData;
use std::sync::OnceLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use poem::endpoint::{BoxEndpoint, make_sync};
use poem::http::{Method, header};
use poem::{IntoResponse, Route};
use poem_openapi::registry::{MetaApi, Registry};
use poem_openapi::{OpenApi, OpenApiService, Webhook};
use serde_yaml::Value;
use sha2::{Digest, Sha256};

use crate::kernel::host::embedded::unpacked_text;
use crate::kernel::http::wire::LENIENT;

pub use assistant::VERSION as ASSISTANT_VERSION;

/// The contract.
pub enum Contract {
    /// As the code declares it, in YAML.
    Declared(String),
    /// As it is committed. Unpacked for each use, which is rare.
    Committed,
}

impl Contract {
    /// The contract that the code declares: poem-openapi's output, completed.
    pub fn of<T: OpenApi, W: Webhook>(service: &OpenApiService<T, W>) -> Self {
        // Not serde_json's `Value`, which would sort the keys.
        let mut document = serde_json::from_str(&service.spec()).expect("poem-openapi writes JSON");
        complete(&mut document);
        Self::Declared(form::yaml(&document))
    }

    /// The form that is committed.
    pub fn yaml(&self) -> Cow<'_, str> {
        match self {
            Self::Declared(yaml) => Cow::Borrowed(yaml),
            Self::Committed => Cow::Owned(unpacked_text(include_bytes!(concat!(
                env!("OUT_DIR"),
                "/openapi.yaml.gz"
            )))),
        }
    }

    pub fn json(&self) -> String {
        json(&self.document())
    }

    /// The part for assistants, as it is committed.
    pub fn of_assistants(&self) -> String {
        json(&assistant::document(&self.document())) + "\n"
    }

    /// The part for assistants, as it is served.
    fn of_assistants_compact(&self) -> String {
        let document = assistant::document(&self.document());
        serde_json::to_string(&document).expect("it was JSON")
    }

    fn document(&self) -> Value {
        serde_yaml::from_str(&self.yaml()).expect("the contract is YAML")
    }
}

fn json(document: &Value) -> String {
    serde_json::to_string_pretty(document).expect("it was JSON")
}

/// Adds what poem-openapi cannot express or writes in a way that other tools cannot read.
fn complete(document: &mut Value) {
    for name in request_schemas(document) {
        let schema = &mut document["components"]["schemas"][name.as_str()];
        // Unknown fields are refused.
        if schema["type"] == "object" {
            schema["additionalProperties"] = false.into();
        }
    }
    // Most operations need a guardian's credential. One without credentials must say so explicitly, to show that they weren't forgotten.
    let of_guardians = serde_yaml::from_str::<Value>("[{guardian: []}]").expect("it is YAML");
    for operation in operations(document) {
        match operation.get("security") {
            None => operation["security"] = Value::Sequence(Vec::new()),
            Some(security) if *security == of_guardians => {
                operation
                    .as_mapping_mut()
                    .map(|it| it.shift_remove("security"));
            }
            Some(_) => {}
        }
    }
    document["security"] = of_guardians;
    // Swagger UI lists credentials in this order. The guardian's comes first, because its users are mostly parents.
    if let Some(schemes) = document["components"]["securitySchemes"].as_mapping_mut() {
        let (first, others) = std::mem::take(schemes)
            .into_iter()
            .partition::<Vec<_>, _>(|(name, _)| name == "guardian");
        schemes.extend(first.into_iter().chain(others));
    }
    drop_descriptions_from_all_of(document);
    form::write_once(document);
}

fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    mappings(&mut document["paths"]).flat_map(mappings)
}

fn mappings(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    let mapping = value.as_mapping_mut().into_iter();
    mapping.flat_map(|mapping| mapping.iter_mut().map(|(_, value)| value))
}

/// The names of all schemas in request bodies whose unknown fields are refused.
fn request_schemas(document: &Value) -> BTreeSet<String> {
    let values = |value: &Value| {
        value
            .as_mapping()
            .cloned()
            .unwrap_or_default()
            .into_values()
    };
    let mut found = BTreeSet::new();
    let operations = values(&document["paths"]).flat_map(|item| values(&item));
    let bodies = operations.map(|operation| operation["requestBody"].clone());
    for body in bodies.filter(|body| body["description"] != LENIENT) {
        collect_references(document, &body, &mut found);
    }
    let name = |reference: String| Some(reference.rsplit('/').next()?.to_owned());
    found.into_iter().filter_map(name).collect()
}

/// Collects the references in a value, and in what they refer to, such as `#/components/schemas/Child`.
fn collect_references(document: &Value, value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Mapping(fields) => {
            if let Some(reference) = fields.get("$ref").and_then(Value::as_str)
                && found.insert(reference.to_owned())
            {
                let names = reference.trim_start_matches("#/").split('/');
                let component = names.fold(document, |value, name| &value[name]);
                collect_references(document, component, found);
            }
            for field in fields.values() {
                collect_references(document, field, found);
            }
        }
        Value::Sequence(items) => {
            for item in items {
                collect_references(document, item, found);
            }
        }
        _ => {}
    }
}

/// poem-openapi repeats the description of a field as a separate schema, `allOf: [$ref, description]`, which
/// client generators take for a second type.
fn drop_descriptions_from_all_of(value: &mut Value) {
    match value {
        Value::Mapping(fields) => {
            if let Some(Value::Sequence(parts)) = fields.get_mut("allOf") {
                let is_description = |part: &Value| {
                    part.as_mapping()
                        .is_some_and(|part| part.len() == 1 && part.contains_key("description"))
                };
                parts.retain(|part| !is_description(part));
            }
            for (_, field) in fields {
                drop_descriptions_from_all_of(field);
            }
        }
        Value::Sequence(items) => items.iter_mut().for_each(drop_descriptions_from_all_of),
        _ => {}
    }
}

/// poem-openapi's page for trying out a contract, with the contract of no API, compressed: its scripts are 1.6 MB. A test
/// compares it with the library's own.
const PAGE_OF_NOTHING: &[u8] = include_bytes!("docs/page.html.zst");

/// The page for trying out this contract, with additions for browsers and screen readers.
fn page(contract: &str) -> String {
    let of_nothing = OpenApiService::new((), "", "");
    let (beginning, end) = ("let spec = ", ";\n");
    let page = zstd::decode_all(PAGE_OF_NOTHING).expect("a test unpacks it");
    String::from_utf8_lossy(&page)
        .trim_start()
        .replacen(
            "<html charset=\"UTF-8\">",
            "<!doctype html>\n<html lang=\"en\">",
            1,
        )
        .replacen(
            "<title>Swagger UI</title>",
            "<title>Porchlight API</title>\n<meta name=\"viewport\" content=\"width=device-width\">",
            1,
        )
        .replacen(
            &format!("{beginning}{}{end}", of_nothing.spec()),
            &format!("{beginning}{contract}{end}"),
            1,
        )
}

/// The declarations of an API without a running app: the contract needs no store.
pub struct Declared<T>(PhantomData<T>);

impl<T> Declared<T> {
    /// Declares the API that this function would return.
    pub fn by<A>(_operations: impl FnOnce(&A) -> T) -> Self {
        Self(PhantomData)
    }
}

impl<T: OpenApi> OpenApi for Declared<T> {
    fn meta() -> Vec<MetaApi> {
        T::meta()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn add_routes(self, _: &mut HashMap<String, HashMap<Method, BoxEndpoint<'static>>>) {}
}

const YAML: &str = "/api/openapi.yaml";
const JSON: &str = "/api/openapi.json";
const ASSISTANT: &str = "/api/assistant/openapi.json";
const PAGE: &str = "/api/docs";

/// Whether [`pages`] has this path.
pub fn is_page(path: &str) -> bool {
    [YAML, JSON, ASSISTANT, PAGE].contains(&path)
}

/// The contract's pages.
pub fn pages(contract: &'static Contract) -> Route {
    // They are large and rarely requested.
    let (yaml, json) = (OnceLock::new(), OnceLock::new());
    let (assistant, shown) = (OnceLock::new(), OnceLock::new());
    Route::new()
        .at(
            YAML,
            make_sync(move |_| {
                let yaml = yaml.get_or_init(|| Bytes::from(contract.yaml().into_owned()));
                yaml.clone().with_content_type("application/yaml")
            }),
        )
        .at(
            JSON,
            make_sync(move |_| {
                let json = json.get_or_init(|| Bytes::from(contract.json()));
                json.clone().with_content_type("application/json")
            }),
        )
        .at(
            ASSISTANT,
            make_sync(move |_| {
                let json = assistant.get_or_init(|| Bytes::from(contract.of_assistants_compact()));
                json.clone().with_content_type("application/json")
            }),
        )
        .at(
            PAGE,
            make_sync(move |_| {
                let (page, policy) = shown.get_or_init(|| {
                    let page = page(&contract.json());
                    let policy = policy(&page);
                    (Bytes::from(page), policy)
                });
                page.clone()
                    .with_content_type("text/html; charset=utf-8")
                    .with_header(header::CONTENT_SECURITY_POLICY, policy.clone())
            }),
        )
}

/// The page's content security policy: its inline scripts and styles by their hashes, and nothing else.
fn policy(page: &str) -> String {
    let scripts = hashes(page, "<script charset=\"UTF-8\">", "</script>")
        + &hashes(page, "<script>", "</script>");
    let styles = hashes(page, "<style charset=\"UTF-8\">", "</style>");
    format!(
        "default-src 'none'; script-src{scripts}; style-src{styles}; img-src 'self' data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// The hashes of all inline elements between two tags (CSP Level 3, section 8.2).
fn hashes(page: &str, opening: &str, closing: &str) -> String {
    let inner = page
        .split(opening)
        .skip(1)
        .filter_map(|rest| rest.split(closing).next());
    inner
        .map(|text| format!(" 'sha256-{}'", STANDARD.encode(Sha256::digest(text))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_that_of_the_library() {
        let page = OpenApiService::new((), "", "").swagger_ui_html();
        if zstd::decode_all(PAGE_OF_NOTHING).unwrap_or_default() != page.as_bytes() {
            let written = concat!(env!("CARGO_MANIFEST_DIR"), "/target/page.html.zst");
            let compressed = zstd::encode_all(page.as_bytes(), 22).unwrap();
            std::fs::write(written, compressed).unwrap();
            panic!(
                "The library has another page. Copy {written} to src/server/docs and commit it."
            );
        }
    }

    #[test]
    fn the_page_shows_the_contract_it_is_given() {
        let page = page("{\"openapi\": \"of this test\"}");

        assert!(page.contains("let spec = {\"openapi\": \"of this test\"};\n"));
        assert!(page.starts_with("<!doctype html>\n<html lang=\"en\">"));
    }
}
