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

impl Template {
    /// Replaces the placeholders `{subject}`, `{greeting}` and those of `values`.
    pub fn filled(&self, name: Option<&str>, to: &EmailAddress, values: &[(&str, &str)]) -> Email {
        let greeting = match name {
            Some(name) => format!("Hello {name},"),
            None => "Hello,".to_owned(),
        };
        let mut all = vec![
            ("{subject}", self.subject),
            ("{greeting}", greeting.as_str()),
        ];
        all.extend(values);
        let page = [TOP, self.html, BOTTOM].concat();
        Email {
            to: to.clone(),
            subject: self.subject.to_owned(),
            text: fill(self.text, &all, str::to_owned),
            html: fill(&page, &all, escaped),
            message_id: None,
        }
    }
}

/// Replaces placeholders in one pass, so that placeholders in values stay as they are.
fn fill(template: &str, values: &[(&str, &str)], escape: fn(&str) -> String) -> String {
    let (mut filled, mut rest) = (String::new(), template);
    loop {
        let places = values
            .iter()
            .filter_map(|(name, value)| rest.find(name).map(|at| (at, *name, *value)));
        let Some((at, name, value)) = places.min_by_key(|(at, ..)| *at) else {
            return filled + rest;
        };
        filled.push_str(&rest[..at]);
        filled.push_str(&escape(value));
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
