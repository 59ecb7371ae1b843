//! E-mails from templates, in plain text and in HTML within a shared layout.

use super::{Email, EmailAddress};
use crate::kernel::host::words::name_in_sentence;

const TOP: &str = include_str!("template/top.html");
const BOTTOM: &str = include_str!("template/bottom.html");

/// An e-mail's text and the content of its HTML, with placeholders such as `{greeting}`.
pub struct Template {
    pub subject: &'static str,
    pub text: &'static str,
    pub html: &'static str,
}

/// A composed part of an e-mail and its placeholder.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    pub name: &'a str,
    pub text: &'a str,
    /// With its values escaped.
    pub html: &'a str,
}

/// A part of an e-mail that is composed of templates of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    pub text: String,
    /// With its values escaped.
    pub html: String,
}

impl Fragment {
    /// Replaces the placeholders of `values` and `parts` in both templates.
    pub fn filled(text: &str, html: &str, values: &[(&str, &str)], parts: &[Part<'_>]) -> Self {
        Self {
            text: fill(text, values, str::to_owned, parts, |part| part.text),
            html: fill(html, values, escaped, parts, |part| part.html),
        }
    }

    pub fn push(&mut self, other: &Self) {
        self.text.push_str(&other.text);
        self.html.push_str(&other.html);
    }

    pub fn part<'a>(&'a self, name: &'a str) -> Part<'a> {
        Part {
            name,
            text: &self.text,
            html: &self.html,
        }
    }
}

impl Template {
    /// Replaces the placeholders `{subject}`, `{greeting}` and those of `values`.
    pub fn filled(&self, name: Option<&str>, to: &EmailAddress, values: &[(&str, &str)]) -> Email {
        self.filled_with(name, to, values, &[])
    }

    /// [`Template::filled`] with composed parts.
    pub fn filled_with(
        &self,
        name: Option<&str>,
        to: &EmailAddress,
        values: &[(&str, &str)],
        parts: &[Part<'_>],
    ) -> Email {
        let greeting = match name {
            Some(name) => format!("Hello {},", name_in_sentence(name)),
            None => "Hello,".to_owned(),
        };
        let mut all = vec![
            ("{subject}", self.subject),
            ("{greeting}", greeting.as_str()),
        ];
        all.extend(values);
        let page = [TOP, self.html, BOTTOM].concat();
        let Fragment { text, html } = Fragment::filled(self.text, &page, &all, parts);
        Email {
            to: to.clone(),
            subject: self.subject.to_owned(),
            text,
            html,
            message_id: None,
            unsubscribe: None,
        }
    }
}

/// Replaces placeholders in one pass, so that placeholders in values stay as they are.
fn fill(
    template: &str,
    values: &[(&str, &str)],
    escape: fn(&str) -> String,
    parts: &[Part<'_>],
    of: for<'a> fn(&Part<'a>) -> &'a str,
) -> String {
    let values = values.iter().map(|(name, value)| (*name, escape(value)));
    let parts = parts.iter().map(|part| (part.name, of(part).to_owned()));
    let all = values.chain(parts).collect::<Vec<_>>();
    let (mut filled, mut rest) = (String::new(), template);
    loop {
        let places = all
            .iter()
            .filter_map(|(name, value)| rest.find(name).map(|at| (at, *name, value)));
        let Some((at, name, value)) = places.min_by_key(|(at, ..)| *at) else {
            return filled + rest;
        };
        filled.push_str(&rest[..at]);
        filled.push_str(value);
        rest = &rest[at + name.len()..];
    }
}

/// Escapes text for HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
