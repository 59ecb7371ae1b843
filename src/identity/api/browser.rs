//! What a request's headers tell of the browser.

use poem::Request;
use poem::http::header;

use super::cookies::is_at_name;
use crate::identity::{Device, device};
use crate::kernel::host::language::Language;

pub fn device_of(request: &Request) -> Device {
    Device {
        kind: request.header(header::USER_AGENT).and_then(device),
        at_name: is_at_name(request),
        language: language_of(request),
    }
}

/// The most wanted of its languages that Porchlight speaks.
pub fn language_of(request: &Request) -> Option<Language> {
    Language::accepted(request.header(header::ACCEPT_LANGUAGE)?)
}
