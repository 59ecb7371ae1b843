//! Entity tags, and the conditional headers (RFC 9110, sections 8.8.3 and 13.1).

use poem::http::{HeaderMap, HeaderName, HeaderValue, header};
use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaParamIn, MetaSchema, MetaSchemaRef};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use crate::kernel::http::problem::{Code, Refusal};

/// The strong entity tag of a version, as a header value.
pub fn entity_tag(version: &str) -> String {
    ["\"", version, "\""].concat()
}

/// The value of a conditional header.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Named {
    /// `*`: any current version.
    Anything,
    /// The header's lines, each with tags.
    Tags(Vec<HeaderValue>),
}

impl Named {
    /// What the header's lines name; `None` without the header.
    fn by(headers: &HeaderMap, name: &HeaderName) -> Option<Self> {
        let lines: Vec<_> = headers.get_all(name).iter().cloned().collect();
        if lines
            .iter()
            .any(|line| line.as_bytes().trim_ascii() == b"*")
        {
            return Some(Self::Anything);
        }
        (!lines.is_empty()).then_some(Self::Tags(lines))
    }
}

/// The tags in these lines without their quotes, and whether each is weak. What follows a malformed tag in its line is ignored.
fn tags_in(lines: &[HeaderValue]) -> impl Iterator<Item = (bool, &[u8])> {
    lines.iter().flat_map(|line| {
        let mut rest = line.as_bytes();
        std::iter::from_fn(move || {
            while let Some((b' ' | b'\t' | b',', behind)) = rest.split_first() {
                rest = behind;
            }
            let strong = rest.strip_prefix(b"W/");
            let opened = strong.unwrap_or(rest).strip_prefix(b"\"")?;
            let end = opened.iter().position(|byte| *byte == b'"')?;
            rest = &opened[end + 1..];
            Some((strong.is_some(), &opened[..end]))
        })
    })
}

/// The condition that the current version is one that the client names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IfMatch(Option<Named>);

impl IfMatch {
    /// Refuses a request without the header, and `*`: neither names a version that the client has seen.
    pub fn named(self) -> Result<Self, Refusal> {
        match self.0 {
            Some(Named::Tags(_)) => Ok(self),
            None | Some(Named::Anything) => Err(Refusal::malformed(
                Code::IfMatchRequired,
                "The header If-Match must name what you have read.",
            )),
        }
    }

    /// Whether this version may be changed. Without the header it may; a weak tag never matches.
    pub fn allows(&self, version: &str) -> bool {
        match &self.0 {
            None | Some(Named::Anything) => true,
            Some(Named::Tags(lines)) => {
                tags_in(lines).any(|(weak, tag)| !weak && tag == version.as_bytes())
            }
        }
    }
}

/// The condition that the current version isn't one that the client already has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IfNoneMatch(Option<Named>);

impl IfNoneMatch {
    pub fn of(headers: &HeaderMap) -> Self {
        Self(Named::by(headers, &header::IF_NONE_MATCH))
    }

    /// Whether the client already has this version; weak tags match, too.
    pub fn has(&self, version: &str) -> bool {
        match &self.0 {
            None => false,
            Some(Named::Anything) => true,
            Some(Named::Tags(lines)) => tags_in(lines).any(|(_, tag)| tag == version.as_bytes()),
        }
    }
}

/// poem's own extractor would drop a line that isn't ASCII, and with it the condition.
macro_rules! condition {
    ($type:ident, $header:ident) => {
        impl<'a> ApiExtractor<'a> for $type {
            const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::Parameter];

            type ParamType = String;
            type ParamRawType = String;

            fn param_in() -> Option<MetaParamIn> {
                Some(MetaParamIn::Header)
            }

            fn param_schema_ref() -> Option<MetaSchemaRef> {
                Some(MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))))
            }

            async fn from_request(
                request: &'a Request,
                _body: &mut RequestBody,
                _options: ExtractParamOptions<String>,
            ) -> poem::Result<Self> {
                Ok(Self(Named::by(request.headers(), &header::$header)))
            }
        }
    };
}

condition!(IfMatch, IF_MATCH);
condition!(IfNoneMatch, IF_NONE_MATCH);

#[cfg(test)]
mod tests {
    use super::*;

    fn named(lines: &[&[u8]]) -> Option<Named> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::IF_MATCH, HeaderValue::from_bytes(line).unwrap());
        }
        Named::by(&headers, &header::IF_MATCH)
    }

    #[test]
    fn a_change_is_allowed_by_the_strong_tag_of_what_is_there() {
        let cases: [(&[&[u8]], bool); 12] = [
            (&[], true),
            (&[b"*"], true),
            (&[b" * "], true),
            (&[b"\"ours\""], true),
            (&[b"\"other\", \"ours\""], true),
            (&[b"\"a,b\",W/\"c\",\"ours\""], true),
            (&[b"\"other\"", b"\"ours\""], true),
            (&[b"W/\"ours\""], false),
            (&[b"\"other\""], false),
            (&[b"ours"], false),
            (&[b""], false),
            (&[b"\"\xff\""], false),
        ];

        for (lines, expected) in cases {
            assert_eq!(IfMatch(named(lines)).allows("ours"), expected, "{lines:?}");
        }
    }

    #[test]
    fn what_the_client_has_is_told_by_a_strong_or_a_weak_tag() {
        let cases: [(&[&[u8]], bool); 8] = [
            (&[], false),
            (&[b"*"], true),
            (&[b"\"ours\""], true),
            (&[b"W/\"ours\""], true),
            (&[b"W/\"a\", W/\"ours\""], true),
            (&[b"\"a\"", b"\"ours\""], true),
            (&[b"\"a\""], false),
            (&[b"\"ours"], false),
        ];

        for (lines, expected) in cases {
            assert_eq!(IfNoneMatch(named(lines)).has("ours"), expected, "{lines:?}");
        }
    }
}
