//! QR codes (ISO/IEC 18004) as a matrix of modules.

use qrcode::{Color, EcLevel, QrCode};

pub struct Qr(QrCode);

impl Qr {
    /// Encodes a text; `None` if it is too long.
    pub fn of(text: &str) -> Option<Self> {
        let code = QrCode::with_error_correction_level(text, EcLevel::L);
        code.ok().map(Self)
    }

    pub fn code(&self) -> &QrCode {
        &self.0
    }

    /// The rows from the top, `1` for a dark module and `0` for a light one, without the border of four light modules.
    pub fn rows(&self) -> Vec<String> {
        let modules = self.0.to_colors();
        let rows = modules.chunks(self.0.width());
        let digit = |color: &Color| match color {
            Color::Dark => '1',
            Color::Light => '0',
        };
        rows.map(|row| row.iter().map(digit).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_form_a_square_with_its_finder_patterns() {
        let rows = Qr::of("https://porchlight.example/invitation#token=ivt_x")
            .unwrap()
            .rows();

        assert!(rows.iter().all(|row| row.len() == rows.len()));
        assert!(rows[0].starts_with("1111111") && rows[0].ends_with("1111111"));
        assert!(rows[1].starts_with("1000001"));
    }

    #[test]
    fn a_text_that_no_code_can_hold_has_none() {
        assert!(Qr::of(&"x".repeat(3_000)).is_none());
    }
}
