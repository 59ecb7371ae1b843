//! openapi.yaml, with which each response that a test's app gives is compared.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};

use poem::http::header::{CONTENT_TYPE, HeaderMap};
use poem::http::{Method, StatusCode};
use porchlight::kernel::host::clock::Timestamp;
use regex::Regex;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Number, Value};

static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
    serde_yaml::from_str(include_str!("../../openapi.yaml")).expect("it is a contract")
});

/// Its operations, those without parameters first: `/sign_ins/seen` isn't `/sign_ins/{signInId}`.
static OPERATIONS: LazyLock<Vec<(Method, &str, &Operation)>> = LazyLock::new(|| {
    let paths = CONTRACT.paths.iter();
    let operations = paths.flat_map(|(path, item)| {
        let operations = item.iter();
        operations.map(move |(method, operation)| {
            let method = method.to_uppercase().parse().unwrap();
            (method, path.as_str(), operation)
        })
    });
    let mut operations = operations.collect::<Vec<_>>();
    operations.sort_by_key(|(_, path, _)| path.matches('{').count());
    operations
});

/// The statuses with which any request can be answered: those in the description of the response that each operation refers to
/// as `default`.
static OF_ANY: LazyLock<Vec<String>> = LazyLock::new(|| {
    let described = CONTRACT.components.responses["Problem"]
        .description
        .split(|it: char| !it.is_ascii_digit());
    let statuses = described.filter(|word| word.len() == 3).map(str::to_owned);
    statuses.collect()
});

/// The names of the headers that some response declares.
static HEADERS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let shared = CONTRACT.components.responses.values();
    let own = OPERATIONS.iter();
    let own = own.flat_map(|(_, _, operation)| operation.responses.values());
    let names = own
        .chain(shared)
        .flat_map(|declared| declared.headers.keys());
    names.map(|name| name.to_lowercase()).collect()
});

#[derive(Deserialize)]
struct Contract {
    paths: BTreeMap<String, BTreeMap<String, Operation>>,
    components: Components,
}

#[derive(Deserialize)]
struct Components {
    schemas: HashMap<String, Schema>,
    responses: HashMap<String, Declared>,
}

#[derive(Deserialize)]
struct Operation {
    #[serde(rename = "operationId")]
    name: String,
    responses: HashMap<String, Declared>,
}

/// A response, or where it is written.
#[derive(Deserialize)]
struct Declared {
    #[serde(rename = "$ref")]
    reference: Option<String>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    content: HashMap<String, Content>,
    #[serde(default)]
    headers: HashMap<String, IgnoredAny>,
}

#[derive(Deserialize)]
struct Content {
    schema: Schema,
}

/// A keyword that isn't here isn't checked, so it may not be used.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Schema {
    #[serde(rename = "$ref")]
    reference: Option<String>,
    r#type: Option<String>,
    format: Option<String>,
    nullable: bool,
    r#enum: Option<Vec<Value>>,
    all_of: Vec<Schema>,
    any_of: Option<Vec<Schema>>,
    properties: Option<HashMap<String, Schema>>,
    required: Vec<String>,
    additional_properties: Option<Additional>,
    max_properties: Option<usize>,
    items: Option<Box<Schema>>,
    min_items: Option<usize>,
    max_items: Option<usize>,
    min_length: Option<usize>,
    max_length: Option<usize>,
    pattern: Option<String>,
    minimum: Option<f64>,
    maximum: Option<f64>,
    #[serde(skip)]
    parsed_pattern: OnceLock<Option<Regex>>,
    description: IgnoredAny,
    example: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Additional {
    Allowed(bool),
    Like(Box<Schema>),
}

/// What is wrong with a value, and where: the innermost place comes first.
struct Fault {
    what: String,
    place: Vec<String>,
}

impl Fault {
    fn new(what: impl Into<String>) -> Self {
        let place = Vec::new();
        Self {
            what: what.into(),
            place,
        }
    }

    fn below(mut self, place: impl ToString) -> Self {
        self.place.push(place.to_string());
        self
    }
}

/// The name at a reference's end.
fn name(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or_default()
}

impl Schema {
    fn resolved(&self) -> &Self {
        match &self.reference {
            Some(reference) => CONTRACT.components.schemas[name(reference)].resolved(),
            None => self,
        }
    }

    fn check(&self, value: &Value) -> Result<(), Fault> {
        let schema = self.resolved();
        if schema.nullable && value.is_null() {
            return Ok(());
        }
        for part in &schema.all_of {
            part.check(value)?;
        }
        if let Some(parts) = &schema.any_of
            && !parts.iter().any(|part| part.check(value).is_ok())
        {
            return Err(Fault::new("is none of what it may be"));
        }
        let listed = schema.r#enum.as_ref();
        if listed.is_some_and(|listed| !listed.contains(value)) {
            return Err(Fault::new("isn't listed"));
        }
        match (schema.r#type.as_deref(), value) {
            (None, _) | (Some("boolean"), Value::Bool(_)) => Ok(()),
            (Some("object"), Value::Object(fields)) => schema.check_fields(fields),
            (Some("array"), Value::Array(items)) => schema.check_items(items),
            (Some("string"), Value::String(text)) => schema.check_text(text),
            (Some("integer"), Value::Number(number)) if !number.is_f64() => {
                schema.check_number(number)
            }
            (Some("number"), Value::Number(number)) => schema.check_number(number),
            (Some(kind), _) => Err(Fault::new(format!("is no {kind}"))),
        }
    }

    fn check_fields(&self, fields: &serde_json::Map<String, Value>) -> Result<(), Fault> {
        let missing = self
            .required
            .iter()
            .find(|name| !fields.contains_key(*name));
        if let Some(missing) = missing {
            return Err(Fault::new("is missing").below(missing));
        }
        if self.max_properties.is_some_and(|most| fields.len() > most) {
            return Err(Fault::new("has too many fields"));
        }
        for (name, value) in fields {
            let declared = self.properties.as_ref().map(|declared| declared.get(name));
            let checked = match (declared, &self.additional_properties) {
                (Some(Some(schema)), _) => schema.check(value),
                (_, Some(Additional::Like(schema))) => schema.check(value),
                // An object whose fields aren't described may have any.
                (_, Some(Additional::Allowed(true))) | (None, None) => Ok(()),
                _ => Err(Fault::new("isn't declared")),
            };
            checked.map_err(|fault| fault.below(name))?;
        }
        Ok(())
    }

    fn check_items(&self, items: &[Value]) -> Result<(), Fault> {
        let length = items.len();
        if self.min_items.is_some_and(|least| length < least)
            || self.max_items.is_some_and(|most| length > most)
        {
            return Err(Fault::new(format!("has {length} items")));
        }
        let schema = self.items.as_ref().expect("an array's items are declared");
        let mut items = items.iter().enumerate();
        items.try_for_each(|(index, item)| schema.check(item).map_err(|fault| fault.below(index)))
    }

    fn check_text(&self, text: &str) -> Result<(), Fault> {
        let length = || text.chars().count();
        if self.min_length.is_some_and(|least| length() < least)
            || self.max_length.is_some_and(|most| length() > most)
        {
            return Err(Fault::new(format!("has {} characters", length())));
        }
        let is_well_formed = match self.format.as_deref() {
            Some("date-time") => Timestamp::parse(text).is_some(),
            Some("date") => Timestamp::parse(&format!("{text}T00:00:00Z")).is_some(),
            _ => true,
        };
        let pattern = self.parsed_pattern.get_or_init(|| {
            // This library knows no `(?!…)`.
            let pattern = self.pattern.as_ref().filter(|it| !it.contains("(?!"))?;
            Some(Regex::new(pattern).unwrap())
        });
        if is_well_formed && pattern.as_ref().is_none_or(|it| it.is_match(text)) {
            Ok(())
        } else {
            Err(Fault::new("has another form"))
        }
    }

    fn check_number(&self, number: &Number) -> Result<(), Fault> {
        let number = number.as_f64().unwrap();
        if self.minimum.is_some_and(|least| number < least)
            || self.maximum.is_some_and(|most| number > most)
        {
            return Err(Fault::new(format!("is {number}")));
        }
        Ok(())
    }
}

/// The operation that a request is for.
fn operation_at(method: &Method, path: &str) -> Option<&'static Operation> {
    let fits = |declared: &str| {
        let (mut declared, mut path) = (declared.split('/'), path.split('/'));
        declared.by_ref().all(|part| {
            let given = path.next();
            given.is_some_and(|given| part == given || part.starts_with('{') && !given.is_empty())
        }) && path.next().is_none()
    };
    let mut all = OPERATIONS.iter();
    let found = all.find(|(of, declared, _)| of == method && fits(declared));
    found.map(|(_, _, operation)| *operation)
}

const JSON: &str = "application/json";

/// How the contract doesn't allow this response; `None` if it does, or if the request isn't for the API.
pub fn fault(
    method: &Method,
    path: &str,
    status: StatusCode,
    headers: &HeaderMap,
    body: &str,
) -> Option<String> {
    let path = path.split('?').next().unwrap().strip_prefix("/api")?;
    let operation = operation_at(method, path);
    if operation.is_none() && !(status.is_client_error() || status.is_server_error()) {
        return None;
    }
    let name_of = operation.map_or("no operation", |operation| &operation.name);
    let what = check(operation, status, headers, body).err()?;
    let place = what.place.iter().rev().map(|part| format!("/{part}"));
    let place = place.collect::<String>();
    Some(format!("{name_of} {status}: {place} {}: {body}", what.what))
}

fn check(
    operation: Option<&Operation>,
    status: StatusCode,
    headers: &HeaderMap,
    body: &str,
) -> Result<(), Fault> {
    let problem = &CONTRACT.components.responses["Problem"];
    let own = operation.and_then(|it| it.responses.get(status.as_str()));
    let is_of_any = operation.is_none() || OF_ANY.iter().any(|of_any| of_any == status.as_str());
    let declared = own.or(is_of_any.then_some(problem));
    let declared = declared.ok_or_else(|| Fault::new("the status isn't declared"))?;
    let declared = declared.reference.as_ref().map_or(declared, |reference| {
        &CONTRACT.components.responses[name(reference)]
    });
    let content_type = headers
        .get(CONTENT_TYPE)
        .map_or("", |it| it.to_str().unwrap());
    let content_type = content_type.split(';').next().unwrap();
    // A download's headers aren't listed.
    if content_type.is_empty() || content_type == JSON {
        let undeclared = headers.keys().find(|header| {
            let mut names = declared.headers.keys();
            HEADERS.contains(header.as_str())
                && !names.any(|name| name.eq_ignore_ascii_case(header.as_str()))
        });
        if let Some(header) = undeclared {
            return Err(Fault::new(format!("the header {header} isn't declared")));
        }
    }
    if body.is_empty() && declared.content.is_empty() {
        return Ok(());
    }
    let Some(content) = declared.content.get(content_type) else {
        return Err(Fault::new(format!("`{content_type}` isn't declared")));
    };
    if content_type != JSON {
        return Ok(());
    }
    let body = serde_json::from_str(body).map_err(|error| Fault::new(error.to_string()))?;
    content.schema.check(&body)
}
