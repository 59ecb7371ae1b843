//! API for assistants: their own report on a child.

use std::sync::Arc;

use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Tag;
use crate::assistants::deliveries::AssistantService;
use crate::children::ChildId;
use crate::identity::api::AsAssistant;
use crate::insights::summary::api::any_object;
use crate::insights::summary::{Report, SummaryError};
use crate::kernel::http::problem::{BODY, CHILD, Refused, WRITE};
use crate::kernel::http::wire::{Body, Done, documented};

/// A report, byte for byte as sent.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct ReportAsSent(Box<RawValue>);

documented!(ReportAsSent, "Report", any_object());

pub struct SummaryCalls {
    pub service: Arc<AssistantService>,
}

#[OpenApi(tag = "Tag::Assistant", prefix_path = "/assistant")]
impl SummaryCalls {
    /// Replace your report on a child
    ///
    /// Any JSON object of at most 64 KiB. The child's guardians see it unchanged, below the summary, as long as no other assistant
    /// has sent a later one.
    #[oai(
        path = "/child/:childId/report",
        method = "put",
        operation_id = "replaceReport"
    )]
    async fn replace_report(
        &self,
        assistant: AsAssistant,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<ReportAsSent>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let report = Report::new(String::from(Box::<str>::from(body.0.0)));
        let report = report.map_err(SummaryError::from)?;
        self.service
            .replace_report(&assistant.0, child.0, report)
            .await?;
        Ok(Done)
    }
}
