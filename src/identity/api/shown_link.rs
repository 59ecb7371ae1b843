//! A link shown on a screen for another device's camera.

use poem_openapi::Object;
use serde::Serialize;

use crate::kernel::host::qr::Qr;

/// A link and its QR code.
#[derive(Debug, Object, Serialize)]
pub struct ShownLink {
    /// The link, which works once.
    link: String,
    /// The rows of its QR code from top to bottom: `1` is dark, `0` is light. It needs a light border of four modules.
    qr_code: Vec<String>,
}

impl From<String> for ShownLink {
    fn from(link: String) -> Self {
        let qr_code = Qr::of(&link).map_or_else(Vec::new, |code| code.rows());
        Self { link, qr_code }
    }
}
