//! Samples, targets and the table of results.

use std::fmt::Write;

/// The samples of one measurement, one per round.
#[derive(Clone, Debug, Default)]
pub struct Series(Vec<f64>);

impl Series {
    pub fn push(&mut self, value: f64) {
        self.0.push(value);
    }

    pub fn extend(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
    }

    /// Returns the median, or NaN if there are no samples.
    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// Returns the value that this percentage of the samples doesn't exceed, or NaN without samples.
    pub fn percentile(&self, percentage: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let index = (sorted.len() * percentage).div_ceil(100).saturating_sub(1);
        sorted.get(index).copied().unwrap_or(f64::NAN)
    }

    /// Returns the median of the per-round ratios. Both samples of a round see the same disturbances, so the ratio
    /// varies less than either.
    pub fn ratio_to(&self, other: &Self) -> f64 {
        let ratios = self.0.iter().zip(&other.0).map(|(own, other)| own / other);
        Self(ratios.collect()).median()
    }
}

/// The value that a result has to reach.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    AtLeast(f64),
    AtMost(f64),
    /// The result is only reported.
    None,
}

impl Target {
    fn is_met_by(self, value: f64) -> Option<bool> {
        match self {
            Self::AtLeast(limit) => Some(value >= limit),
            Self::AtMost(limit) => Some(value <= limit),
            Self::None => None,
        }
    }
}

#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<[String; 5]>,
}

impl Table {
    /// Adds a row and prints it. `value` is in `unit` and compared with `target`; `details` is shown beside it.
    pub fn add(
        &mut self,
        label: impl Into<String>,
        details: impl Into<String>,
        value: f64,
        unit: &str,
        target: Target,
    ) {
        let target_text = match target {
            Target::AtLeast(limit) => format!("≥ {limit}{unit}"),
            Target::AtMost(limit) => format!("≤ {limit}{unit}"),
            Target::None => String::new(),
        };
        let value_text = match unit {
            "" => format!("{value:.2}"),
            "×" => format!("{value:.2}×"),
            _ if value.abs() < 10.0 => format!("{value:.1}{unit}"),
            _ => format!("{value:.0}{unit}"),
        };
        let met = match target.is_met_by(value) {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "",
        };
        let row = [
            label.into(),
            details.into(),
            value_text,
            target_text,
            met.to_owned(),
        ];
        eprintln!("{}", row.join("  "));
        self.rows.push(row);
    }

    /// Formats the table as Markdown.
    pub fn to_markdown(&self) -> String {
        let header = ["Measurement", "Throughput", "Result", "Target", "Met"].map(str::to_owned);
        let all = std::iter::once(&header).chain(&self.rows);
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

/// Formats a number with thousands separators: 12,345.
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

/// Formats a throughput: 12,345/s.
pub fn per_second(throughput: f64) -> String {
    format!("{}/s", thousands(throughput))
}
