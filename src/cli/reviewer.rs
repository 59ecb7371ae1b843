//! `porchlight reviewer …`

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use tokio::time::Instant;

use super::{Context, Outcome, output};
use crate::admin::{AdminError, FindReviewer, NamedReviewer, Progress, Reports, TestReviewer};
use crate::alerts::reviewer::NoModel;
use crate::config::ReviewerModelOptions;

/// How far lines about the progress are apart if standard error is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// The model that reads along with children whose parents want that.
#[derive(Subcommand)]
pub enum Reviewer {
    /// Measure how good the model is, and store the figures
    ///
    /// Sends bundled conversations whose answers are known to the model, each of them three times, and twelve weeks of the
    /// demonstration family. Nothing of your family is sent. It takes some 700 requests, one at a time: minutes to hours. Ctrl-C
    /// stops it, and nothing is stored.
    ///
    /// Which model: as the running server has it, unless the options or their variables name another one. Figures belong to a
    /// model at a host. Parents see them, and can't switch a model on without them.
    ///
    /// Found: a finding with the right concern, whose quote stands in the message that it names. Missed: no such finding, or no
    /// answer. False alarm: a finding with another concern than the conversation's, or any finding in a harmless one. Quote not
    /// there: a finding that was dropped because nobody said what it quotes. In the ordinary weeks every finding is a false alarm.
    ///
    /// Unfit is a model that finds less than half, or gives more than two false alarms in an ordinary week.
    Test(Test),
}

#[derive(Args)]
pub struct Test {
    #[command(flatten)]
    options: ReviewerModelOptions,
}

pub async fn run(context: &Context, command: Reviewer) -> Outcome {
    let Reviewer::Test(test) = command;
    let named = named(test.options)?;
    let total = announce(context, named.clone()).await?;
    let countdown = Arc::new(Countdown::new(total));
    let shown = countdown.clone();
    let reports = Reports::of_progress(move |made| shown.show(made));
    let tested = tokio::select! {
        tested = context.client.run(TestReviewer(named), &reports) => tested,
        _ = tokio::signal::ctrl_c() => Err(countdown.stopped()),
    };
    drop((reports, countdown));
    context.print(&tested?, output::tested);
    Ok(())
}

fn named(options: ReviewerModelOptions) -> Result<NamedReviewer, AdminError> {
    let mut warnings = Vec::new();
    let checked = options.check(&mut warnings);
    let named = checked.map_err(AdminError::new)?;
    for warning in warnings {
        eprintln!("{warning}");
    }
    Ok(named)
}

/// Says which model is tested. Returns the number of requests.
async fn announce(context: &Context, named: NamedReviewer) -> Result<u64, AdminError> {
    let found = context.run(FindReviewer(named)).await?;
    match (&found.host, &found.why_not) {
        (Some(_), _) => {
            eprint!("{}", output::testing(&found));
            Ok(found.requests)
        }
        (None, Some(why)) => Err(AdminError::new(why)),
        (None, None) => Err(NoModel::NotNamed.into()),
    }
}

/// Says how much is done, and how long the rest takes.
struct Countdown {
    began: Instant,
    bar: Option<ProgressBar>,
    last: Mutex<Last>,
}

struct Last {
    made: Progress,
    line_at: Option<Instant>,
}

impl Countdown {
    fn new(total: u64) -> Self {
        let style = ProgressStyle::with_template("{spinner} {msg}");
        let bar = std::io::stderr().is_terminal().then(ProgressBar::no_length);
        Self {
            began: Instant::now(),
            bar: bar.map(|bar| bar.with_style(style.expect("the template is well formed"))),
            last: Mutex::new(Last {
                made: Progress { done: 0, total },
                line_at: None,
            }),
        }
    }

    fn show(&self, made: Progress) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.made = made;
        let sentence = sentence(made, self.began.elapsed());
        if let Some(bar) = &self.bar {
            bar.set_message(sentence);
            bar.tick();
        } else if last.line_at.is_none_or(|at| at.elapsed() >= BETWEEN_LINES) {
            last.line_at = Some(Instant::now());
            eprintln!("{sentence}");
        }
    }

    fn stopped(&self) -> AdminError {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let Progress { done, total } = last.made;
        AdminError::new(format!(
            "Stopped after {done} of {total} requests. Nothing was stored."
        ))
    }
}

impl Drop for Countdown {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn sentence(made: Progress, elapsed: Duration) -> String {
    let Progress { done, total } = made;
    if done == 0 {
        return format!("0 of {total}");
    }
    let left = elapsed.as_secs_f64() * total.saturating_sub(done) as f64 / done as f64;
    format!("{done} of {total}, about {} left", rough(left))
}

/// A time, roughly.
fn rough(seconds: f64) -> String {
    let (count, one, many) = match seconds {
        ..90.0 => (seconds, "second", "seconds"),
        ..5_400.0 => (seconds / 60.0, "minute", "minutes"),
        _ => (seconds / 3_600.0, "hour", "hours"),
    };
    match count.round() {
        ..=1.0 => format!("1 {one}"),
        count => format!("{count:.0} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_estimated_from_what_is_done() {
        let after = |done, seconds| {
            let made = Progress { done, total: 597 };
            sentence(made, Duration::from_secs(seconds))
        };

        assert_eq!(after(0, 30), "0 of 597");
        assert_eq!(after(37, 48), "37 of 597, about 12 minutes left");
        assert_eq!(after(1, 30), "1 of 597, about 5 hours left");
        assert_eq!(after(596, 600), "596 of 597, about 1 second left");
        assert_eq!(after(580, 600), "580 of 597, about 18 seconds left");
    }
}
