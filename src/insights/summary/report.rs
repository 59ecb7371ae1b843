//! The assistant's own report on a child.

use serde_json::Value;

use crate::kernel::http::problem::refusals;

/// A JSON object, stored byte for byte as delivered.
#[derive(Clone)]
pub struct Report(String);

/// Why a report is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// It is larger than a page can show.
    #[error("A report has at most 64 KiB.")]
    TooLarge,
    /// It is JSON, but not an object.
    #[error("A report is a JSON object.")]
    NotAnObject,
    /// It is JSON, but some parsers reject it: nested too deeply, an unpaired surrogate, or a number out of range. The page
    /// would fail to show it.
    #[error("The report is nested too deeply, or holds a number or a text that cannot be read.")]
    Unreadable,
}

refusals! {
    ReportError {
        TooLarge => too_large(ReportTooLarge),
        NotAnObject => malformed(ReportNotAnObject),
        Unreadable => malformed(ReportUnreadable),
    }
}

impl Report {
    /// In bytes of JSON.
    pub const LARGEST: usize = 64 * 1024;

    /// Checks that a page can show it.
    pub fn new(json: String) -> Result<Self, ReportError> {
        if json.len() > Self::LARGEST {
            return Err(ReportError::TooLarge);
        }
        match serde_json::from_str(&json) {
            Ok(Value::Object(_)) if can_be_read_within(&json) => Ok(Self(json)),
            Ok(Value::Object(_)) | Err(_) => Err(ReportError::Unreadable),
            Ok(_) => Err(ReportError::NotAnObject),
        }
    }

    pub fn json(&self) -> &str {
        &self.0
    }
}

/// Whether the report can still be parsed inside the document that contains it: at most three levels deep, in an export. JSON
/// parsers limit the depth, ours too.
fn can_be_read_within(json: &str) -> bool {
    serde_json::from_str::<Value>(&format!("[[[{json}]]]")).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_an_object_that_a_page_can_show() {
        let fits = format!(r#"{{"a":"{}"}}"#, "x".repeat(Report::LARGEST - 8));
        let too_large = format!(r#"{{"a":"{}"}}"#, "x".repeat(Report::LARGEST - 7));
        let nested = |levels| format!(r#"{{"a":{}{}}}"#, "[".repeat(levels), "]".repeat(levels));
        let (deep, too_deep) = (nested(123), nested(124));
        let cases = [
            ("{}", None),
            (r#"{"a": 1.0, "a": null}"#, None),
            (fits.as_str(), None),
            (too_large.as_str(), Some(ReportError::TooLarge)),
            ("[]", Some(ReportError::NotAnObject)),
            ("null", Some(ReportError::NotAnObject)),
            ("\"{}\"", Some(ReportError::NotAnObject)),
            (deep.as_str(), None),
            (too_deep.as_str(), Some(ReportError::Unreadable)),
            (r#"{"a": 1e999}"#, Some(ReportError::Unreadable)),
            (r#"{"a": "\ud800"}"#, Some(ReportError::Unreadable)),
        ];

        for (json, expected) in cases {
            let refused = Report::new(json.to_owned()).err();
            assert_eq!(refused, expected, "{}", &json[..json.len().min(40)]);
        }
    }
}
