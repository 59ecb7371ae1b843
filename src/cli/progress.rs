//! Shows the progress of a long command.

use indicatif::{ProgressBar, ProgressStyle};

use crate::admin::Progress;

/// A progress bar, or a count if the total is unknown. Hidden if standard error is no terminal.
pub struct Shown {
    bar: ProgressBar,
}

impl Shown {
    /// `what` is the operation, for example "Importing".
    pub fn new(what: &'static str) -> Self {
        let bar = ProgressBar::no_length().with_style(style("{msg} {spinner} {human_pos}"));
        Self {
            bar: bar.with_message(what),
        }
    }

    /// Shows progress until it is dropped.
    pub fn callback(what: &'static str) -> impl Fn(Progress) + Send + Sync + 'static {
        let shown = Self::new(what);
        move |made| shown.show(made)
    }

    pub fn show(&self, progress: Progress) {
        if progress.total > 0 && self.bar.length() != Some(progress.total) {
            self.bar.set_length(progress.total);
            self.bar.set_style(style("{msg} {wide_bar} {percent} %"));
        }
        self.bar.set_position(progress.done);
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well formed")
}
