//! Shows QR codes in a terminal.

use std::io::IsTerminal;

use qrcode::render::unicode::Dense1x2;

use crate::kernel::host::qr::Qr;

/// Black on white in any terminal theme: themes don't change these two of the 256 colours.
const BLACK_ON_WHITE: &str = "\x1b[38;5;16;48;5;231m";
const OWN_COLOURS: &str = "\x1b[0m";

/// Prints `text` as a QR code to the standard error, if it and the standard output are terminals.
pub fn show_on_terminal(text: &str) {
    if std::io::stdout().is_terminal()
        && std::io::stderr().is_terminal()
        && let Some(code) = qr_code(text)
    {
        eprint!("\n{code}");
    }
}

/// The lines that show `text` as a QR code, with the border of four modules that ISO/IEC 18004 requires. `None` if the text is
/// too long.
pub fn qr_code(text: &str) -> Option<String> {
    let code = Qr::of(text)?;
    let image = code.code().render::<Dense1x2>().quiet_zone(true).build();
    let lines = image.lines();
    Some(
        lines
            .map(|line| format!("{BLACK_ON_WHITE}{line}{OWN_COLOURS}\n"))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_a_link_fits_a_terminal_of_80_columns() {
        let link = format!(
            "http://192.168.178.123:8080/welcome#setup={}",
            "aB3_".repeat(11)
        );

        let printed = qr_code(&link).unwrap();

        let columns = printed
            .lines()
            .map(|line| line.chars().filter(|c| " ▀▄█".contains(*c)).count());
        assert!(columns.max().unwrap() <= 80);
    }
}
