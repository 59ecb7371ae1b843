//! What a request tells of the browser.

use poem::Request;
use poem::http::header;

use crate::identity::{Device, device};
use crate::kernel::host::language::Language;
use crate::kernel::http::origin::AtName;

/// What a sign-in records of the device.
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

/// Whether a request arrived over HTTPS at the server's domain name.
pub fn is_at_name(request: &Request) -> bool {
    request.data::<AtName>().is_some()
}
