//! Decodes the QR codes that a terminal shows.

/// In pixels.
const MODULE: usize = 4;

/// Returns the text of the only QR code in a terminal's output.
pub fn decode(printed: &str) -> String {
    let is_part = |line: &&str| line.contains("\u{1b}[38;5;16;48;5;231m");
    let rows = printed.lines().filter(is_part).flat_map(|line| {
        let line = line
            .trim_end()
            .trim_start_matches("\u{1b}[38;5;16;48;5;231m");
        let line = line.trim_end_matches("\u{1b}[0m");
        // Each character has two modules, one above the other.
        let modules = line.chars().map(|half| match half {
            ' ' => (false, false),
            '▀' => (true, false),
            '▄' => (false, true),
            '█' => (true, true),
            other => panic!("{other:?} is no part of the code"),
        });
        let (upper, lower): (Vec<bool>, Vec<bool>) = modules.unzip();
        [upper, lower]
    });
    let rows = rows.collect::<Vec<_>>();
    assert!(!rows.is_empty(), "there is no code: {printed}");
    let (width, height) = (rows[0].len() * MODULE, rows.len() * MODULE);
    let mut image = rqrr::PreparedImage::prepare_from_bitmap(width, height, |x, y| {
        rows[y / MODULE][x / MODULE]
    });
    let found = image.detect_grids();
    assert_eq!(found.len(), 1);
    found[0].decode().unwrap().1
}
