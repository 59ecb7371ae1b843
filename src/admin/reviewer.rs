//! Which model reviews, and how good it is.

use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::AdminError;
use super::changing::change;
use super::operation::{Operation, Progress, Reports};
use super::ordinary_weeks::ordinary_weeks;
use crate::alerts::reviewer::{
    Measured, Measuring, Model, ModelFigures, NamedReviewer, NoModel, PAUSE, ReviewerSettings,
    cases, count_requests, figures_of, write_figures,
};
use crate::app::App;
use crate::kernel::store::{Change, Purpose};

/// The interval of progress reports while the model has not answered.
const BEAT: Duration = Duration::from_secs(10);

/// Returns the model that reviews, and its figures. What is left out is as the running server has it.
#[derive(Clone, Serialize, Deserialize)]
pub struct FindReviewer(pub NamedReviewer);

/// The model that reviews. Its fields are `None` if no model can be found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FoundReviewer {
    pub model: Option<String>,
    pub host: Option<String>,
    /// The name of the gateway's upstream that has it.
    pub upstream: Option<String>,
    pub figures: Option<ModelFigures>,
    /// How many requests a test makes.
    pub requests: u64,
    /// `None` also if no model is named.
    pub why_not: Option<String>,
}

impl Operation for FindReviewer {
    type Answer = FoundReviewer;

    async fn run(self, app: &App, _: &Reports) -> Result<FoundReviewer, AdminError> {
        let settings = settings(app, self.0)?;
        let model = match settings.model(&app.store, &app.gateway.upstreams)? {
            Ok(model) => model,
            Err(NoModel::NotNamed) => return Ok(FoundReviewer::default()),
            Err(why) => {
                return Ok(FoundReviewer {
                    model: settings.model,
                    why_not: Some(why.to_string()),
                    ..FoundReviewer::default()
                });
            }
        };
        Ok(FoundReviewer {
            host: Some(model.host()),
            upstream: settings
                .server
                .is_none()
                .then_some(model.upstream.name.clone()),
            figures: figures_of(&app.store, &model)?,
            requests: count_requests(&cases(), &ordinary_weeks()),
            model: Some(model.name),
            why_not: None,
        })
    }
}

/// Tests the model that reviews, and stores its figures. Stops without that once nobody waits for its [events](super::running),
/// which is how a command ends that was interrupted.
#[derive(Clone, Serialize, Deserialize)]
pub struct TestReviewer(pub NamedReviewer);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TestedReviewer {
    #[serde(flatten)]
    pub measured: Measured,
    pub false_alarms_a_week: f64,
    pub unfit: bool,
}

impl Operation for TestReviewer {
    type Answer = TestedReviewer;

    async fn run(self, app: &App, reports: &Reports) -> Result<TestedReviewer, AdminError> {
        let settings = settings(app, self.0)?;
        let model = settings.model(&app.store, &app.gateway.upstreams)??;
        let measured = tokio::select! {
            measured = measure(app, &model, reports) => measured?,
            () = reports.pieces.closed() => {
                return Err(AdminError::new("The test was stopped. Nothing was stored."));
            }
        };
        let figures = measured.figures.clone();
        let tested = TestedReviewer {
            false_alarms_a_week: figures.false_alarms_a_week(),
            unfit: figures.is_unfit(),
            measured,
        };
        let write = move |_: &App, change: &mut Change| Ok(write_figures(change, &figures)?);
        change(app, Purpose::Ordinary, write).await?;
        Ok(tested)
    }
}

async fn measure(app: &App, model: &Model, reports: &Reports) -> Result<Measured, AdminError> {
    let (cases, weeks) = (cases(), ordinary_weeks());
    let total = count_requests(&cases, &weeks);
    let last = Mutex::new(Progress { done: 0, total });
    let report = |done| {
        let made = Progress { done, total };
        *last.lock().unwrap_or_else(PoisonError::into_inner) = made;
        reports.report(made);
    };
    let reviewing = &app.reviewer.reviewing;
    let measuring = Measuring {
        client: &reviewing.client,
        model,
        rng: &reviewing.rng,
        clock: &app.clock,
        turns: &reviewing.turns,
        pause: PAUSE,
        on_progress: &report,
    };
    let mut measured = pin!(measuring.run(&cases, &weeks));
    loop {
        tokio::select! {
            measured = &mut measured => return Ok(measured?),
            () = tokio::time::sleep(BEAT) => {
                let made = *last.lock().unwrap_or_else(PoisonError::into_inner);
                reports.report(made);
            }
        }
    }
}

fn settings(app: &App, named: NamedReviewer) -> Result<ReviewerSettings, AdminError> {
    let own = &app.reviewer.consents.settings;
    Ok(ReviewerSettings {
        server: named.server()?.or_else(|| own.server.clone()),
        model: named.model.or_else(|| own.model.clone()),
        budget: own.budget,
    })
}
