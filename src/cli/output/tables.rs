//! Formats lists, counts and tables.

use crate::children::ChildId;
use crate::kernel::host::words::plain;

pub fn listed(items: &[impl ToString], none: &str) -> String {
    match items {
        [] => none.to_owned(),
        items => {
            let items = items.iter().map(ToString::to_string);
            items.collect::<Vec<_>>().join(", ")
        }
    }
}

pub fn numbers(children: &[ChildId]) -> String {
    listed(children, "-")
}

pub fn counted(count: u64, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

/// An aligned table, or a sentence if it has no rows.
pub fn table(heads: &[&str], rows: impl IntoIterator<Item = Vec<String>>, empty: &str) -> String {
    let rows = rows
        .into_iter()
        .map(|row| row.iter().map(|cell| plain(cell)).collect());
    let rows = rows.collect::<Vec<Vec<String>>>();
    if rows.is_empty() {
        return format!("{empty}\n");
    }
    let heads = heads.iter().map(ToString::to_string).collect::<Vec<_>>();
    let lines = std::iter::once(&heads).chain(&rows);
    let width = |column: usize| {
        lines
            .clone()
            .map(|line| line[column].chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths = (0..heads.len()).map(width).collect::<Vec<_>>();
    let mut text = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths);
        let cells = cells
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect::<Vec<_>>();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_lines_up() {
        let rows = [
            vec!["1".to_owned(), "Mia".to_owned()],
            vec!["12".to_owned(), "L".to_owned()],
        ];

        let text = table(&["Number", "Name"], rows, "none");

        assert_eq!(text, "Number  Name\n1       Mia\n12      L\n");
    }

    #[test]
    fn an_empty_table_says_what_to_do() {
        assert_eq!(table(&["Number"], [], "Add one."), "Add one.\n");
    }
}
