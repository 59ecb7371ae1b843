//! The sentences of e-mails and notifications, in each language.
//!
//! Each language is one Fluent file (<https://projectfluent.org>), `texts/de.ftl` for example, with a text for each key. A name
//! that is inserted stays a name, whatever it contains.

mod dates;
mod numbers;

use std::ops::Deref;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};

use super::language::Language;

pub use fluent_bundle::FluentValue as Value;
pub use numbers::{capitalized, counted, duration, grouped, joined};

/// What a text is filled with: numbers choose its plural form, and text is inserted.
pub type Args<'a> = &'a [(&'a str, Value<'a>)];

type Bundle = FluentBundle<FluentResource>;

/// By language. Each is parsed when the first text is needed in it.
static BUNDLES: [LazyLock<Bundle>; Language::ALL.len()] = [
    LazyLock::new(|| bundle(Language::En, file(Language::En).to_owned())),
    LazyLock::new(|| bundle(Language::De, file(Language::De).to_owned())),
    LazyLock::new(|| bundle(Language::Fr, file(Language::Fr).to_owned())),
    LazyLock::new(|| bundle(Language::Es, file(Language::Es).to_owned())),
];

const fn file(language: Language) -> &'static str {
    match language {
        Language::En => include_str!("texts/en.ftl"),
        Language::De => include_str!("texts/de.ftl"),
        Language::Fr => include_str!("texts/fr.ftl"),
        Language::Es => include_str!("texts/es.ftl"),
    }
}

fn bundle(language: Language, texts: String) -> Bundle {
    let code = language.code().parse().expect("is a language tag");
    let mut bundle = FluentBundle::new_concurrent(vec![code]);
    // Names are isolated where it is needed, by `name_in_sentence`.
    bundle.set_use_isolating(false);
    let texts = FluentResource::try_new(texts);
    let texts = texts.expect("a test parses each language");
    bundle
        .add_resource(texts)
        .expect("a test finds keys that occur twice");
    bundle
}

fn bundle_of(language: Language) -> Option<&'static Bundle> {
    #[cfg(test)]
    if let Some(bundle) = tests::test_languages::bundle() {
        return Some(bundle);
    }
    BUNDLES.get(language as usize).map(LazyLock::deref)
}

/// The text of this key in this language. A text that a language lacks is in English; a test refuses that.
pub fn text(language: Language, key: &str, args: Args<'_>) -> String {
    let found = formatted(language, key, args);
    let found = found.or_else(|| formatted(Language::En, key, args));
    debug_assert!(found.is_some(), "no text {key} with {args:?}");
    found.unwrap_or_default()
}

fn formatted(language: Language, key: &str, args: Args<'_>) -> Option<String> {
    let bundle = bundle_of(language)?;
    let pattern = bundle.get_message(key)?.value()?;
    let args = args.iter().cloned().collect::<FluentArgs<'_>>();
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, Some(&args), &mut errors);
    debug_assert!(errors.is_empty(), "{key}: {errors:?}");
    Some(text.into_owned())
}

#[cfg(test)]
pub mod tests;
