//! Runs a command's operations, and prints their answers.

use serde::Serialize;

use super::output::{self, Secret};
use super::progress::Shown;
use crate::admin::{AdminError, Client, Entries, Operation, Reports};
use crate::kernel::host::words::plain_lines;
use crate::kernel::store::Store;

/// What a command needs besides its own arguments.
pub struct Context {
    pub client: Client,
    pub json: bool,
}

pub type Outcome = Result<(), AdminError>;

impl Context {
    /// Runs an operation.
    pub async fn run<O: Operation>(&self, operation: O) -> Result<O::Answer, AdminError> {
        self.client.run(operation, &Reports::ignored()).await
    }

    /// The answer of an existing store or its server; `None` also if that fails.
    pub async fn find<O: Operation>(&self, operation: O) -> Option<O::Answer> {
        if Store::exists(&self.client.data) {
            self.run(operation).await.ok()
        } else {
            None
        }
    }

    /// Runs an operation and prints the answer.
    pub async fn ask<O: Operation>(
        &self,
        operation: O,
        text: impl FnOnce(&O::Answer) -> String,
    ) -> Outcome {
        self.ask_showing("Records copied:", operation, text).await
    }

    /// [`Context::ask`], with what the progress counts.
    pub async fn ask_showing<O: Operation>(
        &self,
        what: &'static str,
        operation: O,
        text: impl FnOnce(&O::Answer) -> String,
    ) -> Outcome {
        let reports = Reports::of_progress(Shown::callback(what));
        let answer = self.client.run(operation, &reports).await;
        drop(reports);
        self.print(&answer?, text);
        Ok(())
    }

    /// Runs an operation and prints its list.
    pub async fn list<T: Serialize, O: Operation<Answer = Entries<T>>>(
        &self,
        operation: O,
        heads: &[&str],
        row: impl Fn(&T) -> Vec<String>,
        empty: &str,
    ) -> Outcome {
        let listed = self.run(operation).await?;
        self.print(&listed.entries, |entries| {
            output::table(heads, entries.iter().map(row), empty)
        });
        output::warn_of_unreadable(listed.unreadable);
        Ok(())
    }

    /// Runs an operation whose answer contains a secret, and prints that.
    pub async fn ask_for_secret<O: Operation>(
        &self,
        operation: O,
        secret: impl FnOnce(&O::Answer) -> Secret,
    ) -> Result<O::Answer, AdminError> {
        output::require_reader()?;
        let answer = self.run(operation).await?;
        let json = self.json.then(|| output::json(&answer));
        secret(&answer).print(json.as_deref())?;
        Ok(answer)
    }

    /// Prints an answer for people, or as JSON. Control characters in a name cannot move or hide the text around it.
    pub fn print<A: Serialize>(&self, answer: &A, text: impl FnOnce(&A) -> String) {
        if self.json {
            output::print_line(output::json(answer));
        } else {
            output::print(plain_lines(&text(answer)));
        }
    }
}
