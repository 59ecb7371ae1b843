//! What the test of the model that reads along prints.

use super::tables::{counted, table};
use crate::admin::{FoundReviewer, TestedReviewer};
use crate::alerts::reviewer::{ConcernFigures, Measured, ModelFigures, TIMES};
use crate::kernel::host::words::plain;

/// Printed before a test.
pub fn testing(found: &FoundReviewer) -> String {
    format!(
        "Testing {} with {}. Nothing of your family is sent. Ctrl-C stops it, and nothing is stored.\n",
        called(found),
        counted(found.requests, "request", "requests")
    )
}

/// The model and its host.
fn called(found: &FoundReviewer) -> String {
    let plain = |name: &Option<String>| plain(name.as_deref().unwrap_or("nothing"));
    format!("{} at {}", plain(&found.model), plain(&found.host))
}

/// Why a model is unfit, as parts of a sentence.
pub fn faults(figures: &ModelFigures) -> Vec<&'static str> {
    let faults = [
        (figures.finds_too_little(), "finds less than half"),
        (
            figures.is_noisy(),
            "gives more than two false alarms in an ordinary week",
        ),
    ];
    let faults = faults.into_iter().filter(|(has, _)| *has);
    faults.map(|(_, fault)| fault).collect()
}

pub fn tested(tested: &TestedReviewer) -> String {
    let measured = &tested.measured;
    let figures = &measured.figures;
    let mut text = format!(
        "{} at {}, tested on {} with {}, {TIMES} times each, and with {} of ordinary weeks.\n\n",
        plain(&figures.model),
        plain(&figures.host),
        figures.at.to_chrono().format("%Y-%m-%d"),
        counted(measured.cases, "conversation", "conversations"),
        counted(
            measured.ordinary_conversations,
            "conversation",
            "conversations"
        ),
    );
    let rows = figures.concerns.iter().map(row);
    text += &table(
        &[
            "Concern",
            "Found",
            "Missed",
            "False alarms",
            "Quotes not there",
            "Seconds",
        ],
        rows.chain([all(measured)]),
        "",
    );
    text += &format!(
        "\nFalse alarms in {} ordinary weeks: {}, which is {:.1} a week.\n",
        figures.weeks, figures.false_alarms_in_weeks, tested.false_alarms_a_week
    );
    text += &no_answer(measured);
    let faults = faults(figures);
    if faults.is_empty() {
        text += "\nThe model finds at least half, and gives at most two false alarms in an ordinary week. It can be wrong, and misses things.\n";
    } else {
        text += &format!("\nThe model is unfit: it {}.\n", faults.join(", and "));
    }
    text + "Parents see these figures while the server runs with this model at this host.\n"
}

fn row(figures: &ConcernFigures) -> Vec<String> {
    vec![
        figures.concern.words().to_owned(),
        figures.found.to_string(),
        figures.missed.to_string(),
        figures.false_alarms.to_string(),
        figures.quotes_not_there.to_string(),
        seconds(figures.millis),
    ]
}

fn all(measured: &Measured) -> Vec<String> {
    let figures = &measured.figures;
    vec![
        "all".to_owned(),
        figures.sum(|it| it.found).to_string(),
        figures.sum(|it| it.missed).to_string(),
        figures.sum(|it| it.false_alarms).to_string(),
        figures.sum(|it| it.quotes_not_there).to_string(),
        seconds(measured.millis),
    ]
}

fn seconds(millis: u64) -> String {
    format!("{:.1}", millis as f64 / 1_000.0)
}

fn no_answer(measured: &Measured) -> String {
    let count = measured.no_answer.values().sum::<u64>();
    if count == 0 {
        return String::new();
    }
    let mut text = format!(
        "No answer: {count} of {}, {} of them about the ordinary weeks. Without an answer, nothing is found.\n",
        counted(measured.requests, "request", "requests"),
        measured.no_answer_in_weeks
    );
    for (why, count) in &measured.no_answer {
        text += &format!("  {count}: {why}\n");
    }
    text
}
