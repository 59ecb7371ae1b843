//! E-mails from templates, in plain text and in HTML within a shared layout.

use super::{Email, EmailAddress};

const TOP: &str = include_str!("template/top.html");
const BOTTOM: &str = include_str!("template/bottom.html");

/// An e-mail's text and the content of its HTML, with placeholders such as `{greeting}`.
pub struct Template {
    pub subject: &'static str,
    pub text: &'static str,
    pub html: &'static str,
}

/// A value with a form of its own in HTML.
pub struct Part<'a> {
    /// Its placeholder.
    pub name: &'a str,
    pub text: &'a str,
    /// Not escaped any more.
    pub html: &'a str,
}

impl Template {
    /// Replaces the placeholders `{subject}`, `{greeting}` and those of `values`.
    pub fn filled(&self, name: Option<&str>, to: &EmailAddress, values: &[(&str, &str)]) -> Email {
        self.filled_with(name, to, values, &[])
    }

    /// [`Template::filled`], and replaces also the placeholders of `parts`.
    pub fn filled_with(
        &self,
        name: Option<&str>,
        to: &EmailAddress,
        values: &[(&str, &str)],
        parts: &[Part<'_>],
    ) -> Email {
        let greeting = match name {
            Some(name) => format!("Hello {name},"),
            None => "Hello,".to_owned(),
        };
        let ours = [
            ("{subject}", self.subject),
            ("{greeting}", greeting.as_str()),
        ];
        let values = || ours.iter().chain(values);
        let plain = values().map(|(name, value)| (*name, (*value).to_owned()));
        let plain = plain.chain(parts.iter().map(|part| (part.name, part.text.to_owned())));
        let in_html = values().map(|(name, value)| (*name, escaped(value)));
        let in_html = in_html.chain(parts.iter().map(|part| (part.name, part.html.to_owned())));
        let page = [TOP, self.html, BOTTOM].concat();
        Email {
            to: to.clone(),
            subject: self.subject.to_owned(),
            text: fill(self.text, &plain.collect::<Vec<_>>()),
            html: fill(&page, &in_html.collect::<Vec<_>>()),
            message_id: None,
            unsubscribe: None,
        }
    }
}

/// Replaces placeholders in one pass, so that placeholders in values stay as they are.
fn fill(template: &str, values: &[(&str, String)]) -> String {
    let (mut filled, mut rest) = (String::new(), template);
    loop {
        let places = values
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
