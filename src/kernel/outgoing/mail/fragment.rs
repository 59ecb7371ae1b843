//! Parts of an e-mail that are composed of templates, in plain text and in HTML.

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
