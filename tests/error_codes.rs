//! Each error code stands for one sentence: read from the source, and listed in `docs/errors.md` and in the contract.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use serde_json::Value;
use syn::parse::{Parse, ParseStream};
use syn::visit::{self, Visit};
use syn::{Expr, Ident, Lit, LitStr, Token, braced, parenthesized};

/// Their sentences are for whoever writes the request: what is expected at `at`.
const OF_A_PLACE: [&str; 2] = ["BodyInvalid", "ParameterInvalid"];

/// A line of `refusals!` with a code of its own.
struct Line {
    variants: Vec<Ident>,
    code: Ident,
    arguments: Vec<Ident>,
}

/// The body of `refusals!`.
struct Refusals {
    error: Ident,
    lines: Vec<Line>,
}

impl Parse for Refusals {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ahead = input.fork();
        let error = ahead.parse()?;
        if ahead.peek(syn::token::Paren) || ahead.peek(Token![=>]) {
            // An error that is a struct.
            let lines = Line::read(input)?.into_iter().collect();
            return Ok(Self { error, lines });
        }
        input.parse::<Ident>()?;
        while !input.is_empty() && !input.peek(syn::token::Brace) {
            input.parse::<proc_macro2::TokenTree>()?;
        }
        let mut lines = Vec::new();
        if !input.is_empty() {
            let body;
            braced!(body in input);
            while !body.is_empty() {
                lines.extend(Line::read(&body)?);
            }
        }
        Ok(Self { error, lines })
    }
}

impl Line {
    /// `A | B(_) => kind(Code { argument: value }, seconds) at place,`
    fn read(input: ParseStream<'_>) -> syn::Result<Option<Self>> {
        let mut variants = vec![input.parse()?];
        while !input.peek(Token![=>]) {
            if input.peek(Token![|]) {
                input.parse::<Token![|]>()?;
                variants.push(input.parse()?);
            } else {
                input.parse::<proc_macro2::TokenTree>()?;
            }
        }
        input.parse::<Token![=>]>()?;
        let kind = input.parse::<Ident>()?;
        let mut line = None;
        if input.peek(syn::token::Paren) {
            let how;
            parenthesized!(how in input);
            if kind == "from" {
                how.parse::<Expr>()?;
            } else {
                let code = how.parse()?;
                let mut arguments = Vec::new();
                if how.peek(syn::token::Brace) {
                    let values;
                    braced!(values in how);
                    while !values.is_empty() {
                        arguments.push(values.parse()?);
                        values.parse::<Token![:]>()?;
                        values.parse::<Expr>()?;
                        values.parse::<Option<Token![,]>>()?;
                    }
                }
                how.parse::<Option<Token![,]>>()?;
                if !how.is_empty() {
                    how.parse::<Expr>()?;
                }
                line = Some(Self {
                    variants,
                    code,
                    arguments,
                });
            }
        }
        while !input.is_empty() && !input.peek(Token![,]) {
            input.parse::<proc_macro2::TokenTree>()?;
        }
        input.parse::<Option<Token![,]>>()?;
        Ok(line)
    }
}

/// What the source says.
#[derive(Default)]
struct Source {
    /// The sentences of error types, by type and variant.
    sentences: HashMap<(String, String), String>,
    /// The codes of error types, with their arguments.
    lines: Vec<(String, Line)>,
    /// Codes with their sentence.
    literal: Vec<(String, Option<String>)>,
    /// Codes with the type and variant whose sentence they have.
    displayed: Vec<(String, (String, String))>,
    /// The texts that have a name in the function that is read.
    names: HashMap<String, String>,
    /// The type and variant that is converted in the code that is read.
    subject: (String, String),
}

impl<'ast> Visit<'ast> for Source {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let is_for_tests = item.attrs.iter().any(|it| it.path().is_ident("cfg"));
        if !is_for_tests {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        for variant in &item.variants {
            if let Some(sentence) = sentence(&variant.attrs) {
                let place = (item.ident.to_string(), variant.ident.to_string());
                self.sentences.insert(place, sentence);
            }
        }
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        if let Some(sentence) = sentence(&item.attrs) {
            let place = (item.ident.to_string(), String::new());
            self.sentences.insert(place, sentence);
        }
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if item.mac.path.is_ident("refusals") {
            let read = item.mac.parse_body::<Refusals>().unwrap();
            let error = read.error.to_string();
            let lines = read.lines.into_iter();
            self.lines.extend(lines.map(|line| (error.clone(), line)));
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.name(item.ident.to_string(), &item.expr);
    }

    fn visit_local(&mut self, item: &'ast syn::Local) {
        if let (syn::Pat::Ident(name), Some(value)) = (&item.pat, &item.init) {
            self.name(name.ident.to_string(), &value.expr);
        }
        visit::visit_local(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let converted = item.trait_.as_ref().and_then(|it| it.0.segments.last());
        if let Some(syn::PathArguments::AngleBracketed(of)) = converted.map(|it| &it.arguments)
            && let Some(syn::GenericArgument::Type(syn::Type::Path(from))) = of.args.first()
        {
            let from = from.path.segments.last().unwrap().ident.to_string();
            self.subject = (from, String::new());
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let syn::Pat::Path(variant) = &arm.pat {
            self.subject.1 = variant.path.segments.last().unwrap().ident.to_string();
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        let arguments = call.args.iter().collect::<Vec<_>>();
        for (place, argument) in arguments.iter().enumerate() {
            if let Some(code) = code(argument) {
                let sentence = arguments.get(place + 1).copied();
                if matches!(sentence, Some(Expr::MethodCall(call)) if call.method == "to_string") {
                    self.displayed.push((code, self.subject.clone()));
                } else {
                    let sentence = sentence.and_then(|it| self.text(it));
                    self.literal.push((code, sentence));
                }
            }
        }
        visit::visit_expr_call(self, call);
    }
}

impl Source {
    fn name(&mut self, name: String, value: &Expr) {
        match self.text(value) {
            Some(text) => self.names.insert(name, text),
            None => self.names.remove(&name),
        };
    }

    fn text(&self, value: &Expr) -> Option<String> {
        match value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            Expr::Macro(call) if call.mac.path.is_ident("format") => {
                let text = call.mac.parse_body_with(|input: ParseStream<'_>| {
                    let text = input.parse::<LitStr>()?;
                    input.parse::<proc_macro2::TokenStream>()?;
                    Ok(text)
                });
                text.ok().map(|text| text.value())
            }
            Expr::Path(name) => self.names.get(&name.path.get_ident()?.to_string()).cloned(),
            _ => None,
        }
    }

    fn read(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                self.read(&path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let code = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
                self.names.clear();
                // A file's constants, wherever they stand.
                for item in &code.items {
                    if let syn::Item::Const(item) = item {
                        self.visit_item_const(item);
                    }
                }
                self.visit_file(&code);
            }
        }
    }

    /// Each code with its sentence, whose values have the names of its arguments.
    fn codes(&self) -> Vec<(String, String)> {
        let mut codes = Vec::new();
        for (code, sentence) in &self.literal {
            match sentence {
                Some(sentence) => codes.push((code.clone(), sentence.clone())),
                None => assert!(
                    OF_A_PLACE.contains(&code.as_str()),
                    "the sentence of {code} can't be read from the source"
                ),
            }
        }
        for (code, subject) in &self.displayed {
            codes.push((code.clone(), self.sentences[subject].clone()));
        }
        for (error, line) in &self.lines {
            for variant in &line.variants {
                let own = (error.clone(), variant.to_string());
                // A variant without a sentence wraps the struct of its name, and shows the struct's.
                let held = (variant.to_string(), String::new());
                let sentence = self.sentences.get(&own);
                let sentence = sentence.unwrap_or_else(|| &self.sentences[&held]);
                let named = with_names(sentence, &line.arguments);
                codes.push((line.code.to_string(), named));
            }
        }
        codes
    }
}

/// The sentence of an `#[error("…")]`.
fn sentence(attributes: &[syn::Attribute]) -> Option<String> {
    let error = attributes.iter().find(|it| it.path().is_ident("error"))?;
    let read = error.parse_args_with(|input: ParseStream<'_>| {
        let text = input.parse::<LitStr>()?;
        input.parse::<proc_macro2::TokenStream>()?;
        Ok(text.value())
    });
    read.ok()
}

fn code(argument: &Expr) -> Option<String> {
    let Expr::Path(path) = argument else {
        return None;
    };
    let names = path.path.segments.iter().map(|it| it.ident.to_string());
    match &*names.collect::<Vec<_>>() {
        [.., of, code] if of == "Code" => Some(code.clone()),
        _ => None,
    }
}

/// The sentence with the names of its values. Each has one, in the order of the sentence.
fn with_names(sentence: &str, names: &[Ident]) -> String {
    let mut pieces = sentence.split('{');
    let mut named = pieces.next().unwrap_or_default().to_owned();
    let values = pieces.collect::<Vec<_>>();
    assert_eq!(values.len(), names.len(), "the values of: {sentence}");
    for (value, name) in values.into_iter().zip(names) {
        let (_, rest) = value.split_once('}').unwrap();
        named += &format!("{{{name}}}{rest}");
    }
    named
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The codes of the source in snake case, each with its sentence; none for those of a place.
fn table() -> BTreeMap<String, Option<String>> {
    let mut source = Source::default();
    source.read(&root().join("src"));
    let mut table = BTreeMap::new();
    let mut of_sentences = BTreeMap::new();
    let undecided = source.literal.iter().map(|(code, _)| code.clone());
    let undecided = undecided.filter(|code| OF_A_PLACE.contains(&code.as_str()));
    let undecided = undecided.map(|code| (code, None));
    let codes = source.codes().into_iter();
    let codes = codes.filter(|(code, _)| !OF_A_PLACE.contains(&code.as_str()));
    let decided = codes.map(|(code, sentence)| (code, Some(sentence)));
    for (code, sentence) in undecided.chain(decided) {
        if let Some(sentence) = &sentence {
            let other = of_sentences.insert(sentence.clone(), code.clone());
            let other = other.unwrap_or_else(|| code.clone());
            assert_eq!(other, code, "two codes have the sentence: {sentence}");
        }
        let before = table.insert(snake_case(&code), sentence.clone());
        let before = before.unwrap_or_else(|| sentence.clone());
        assert_eq!(before, sentence, "{code} has two sentences");
    }
    table
}

#[test]
fn each_code_has_one_sentence_which_the_document_lists() {
    let rows = table().into_iter().map(|(code, sentence)| {
        let sentence = sentence.unwrap_or_else(|| "What is expected at `at`.".to_owned());
        format!("| `{code}` | {sentence} |\n")
    });
    let rows = rows.collect::<String>();

    let document = fs::read_to_string(root().join("docs/errors.md")).unwrap();
    let listed = document
        .lines()
        .filter(|line| line.starts_with("| `") && !line.contains("`detail`"));
    let listed = listed.map(|line| format!("{line}\n")).collect::<String>();
    assert!(listed == rows, "docs/errors.md must list:\n{rows}");
}

#[test]
fn the_contract_lists_the_codes_that_can_be_answered() {
    let answered = table().into_keys().collect::<BTreeSet<_>>();

    let contract = serde_yaml::from_str::<Value>(&porchlight::server::contract()).unwrap();
    let listed = &contract["components"]["schemas"]["ProblemCode"]["enum"];
    let listed = listed.as_array().unwrap().iter();
    let listed = listed.map(|code| code.as_str().unwrap().to_owned());
    assert_eq!(listed.collect::<BTreeSet<_>>(), answered);
}
