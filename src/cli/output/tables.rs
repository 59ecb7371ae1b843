//! Formats lists, counts and tables.

use crate::children::ChildId;
use crate::kernel::words::plain;

pub(super) fn listed(items: &[String], none: &str) -> String {
    match items {
        [] => none.to_owned(),
        items => items.join(", "),
    }
}

pub(super) fn numbers(children: &[ChildId]) -> String {
    let children = children.iter().map(ToString::to_string).collect::<Vec<_>>();
    listed(&children, "-")
}

pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

/// An aligned table, or a sentence if it has no rows.
pub(super) fn table(
    heads: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
    empty: &str,
) -> String {
    let rows = rows.map(|row| row.iter().map(|cell| plain(cell)).collect());
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
