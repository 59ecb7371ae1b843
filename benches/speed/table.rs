//! What was measured, as a table.

use std::fmt::Write;

/// The middle one of what was measured several times.
#[derive(Clone, Debug, Default)]
pub struct Series(Vec<f64>);

impl Series {
    pub fn push(&mut self, value: f64) {
        self.0.push(value);
    }

    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// The median of this one's values, each divided by the other's of the same round: what disturbs a round
    /// disturbs both.
    pub fn ratio_to(&self, other: &Self) -> f64 {
        let ratios = self.0.iter().zip(&other.0).map(|(own, other)| own / other);
        Self(ratios.collect()).median()
    }
}

/// What a figure shall be.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    AtLeast(f64),
    AtMost(f64),
    /// It is only told.
    None,
}

impl Target {
    fn is_reached_by(self, figure: f64) -> Option<bool> {
        match self {
            Self::AtLeast(bar) => Some(figure >= bar),
            Self::AtMost(bar) => Some(figure <= bar),
            Self::None => None,
        }
    }
}

/// The table.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<[String; 5]>,
}

impl Table {
    /// Adds a row. `figure` is what the target is about, in `unit`.
    pub fn add(
        &mut self,
        what: impl Into<String>,
        measured: impl Into<String>,
        figure: f64,
        unit: &str,
        target: Target,
    ) {
        let target_text = match target {
            Target::AtLeast(bar) => format!("≥ {bar}{unit}"),
            Target::AtMost(bar) => format!("≤ {bar}{unit}"),
            Target::None => String::new(),
        };
        let figure_text = match unit {
            "" => format!("{figure:.2}"),
            "×" => format!("{figure:.2}×"),
            _ if figure.abs() < 10.0 => format!("{figure:.1}{unit}"),
            _ => format!("{figure:.0}{unit}"),
        };
        let reached = match target.is_reached_by(figure) {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "",
        };
        let row = [
            what.into(),
            measured.into(),
            figure_text,
            target_text,
            reached.to_owned(),
        ];
        eprintln!("{}", row.join("  "));
        self.rows.push(row);
    }

    /// The table in Markdown.
    pub fn to_text(&self) -> String {
        let head = ["What", "Measured", "Figure", "Target", "Reached"].map(str::to_owned);
        let all = std::iter::once(&head).chain(&self.rows);
        let widths = std::array::from_fn::<_, 5, _>(|column| {
            let widths = all.clone().map(|row| row[column].chars().count());
            widths.max().unwrap_or_default()
        });
        let mut text = String::new();
        for (number, row) in all.enumerate() {
            for (cell, width) in row.iter().zip(widths) {
                let _ = write!(text, "| {cell:width$} ");
            }
            text += "|\n";
            if number == 0 {
                for width in widths {
                    let _ = write!(text, "|{}", "-".repeat(width + 2));
                }
                text += "|\n";
            }
        }
        text
    }
}

/// A number that people read: 12,345.
pub fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
