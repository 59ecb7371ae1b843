//! Receipts: what an assistant reports about the rules that a session runs under.

use std::fmt::Display;

use poem_openapi::types::Example;
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::conversations::transcripts::is_possible;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{Code, Problem, Refusal};
use crate::kernel::http::wire::{Items, Text, UnknownFields};
use crate::rules::{Evidence, Receipt};

/// Far more versions than can be in force during one session.
pub const RECEIPTS_AT_ONCE: usize = 100;

/// What you did with a version of the rules.
#[derive(Clone, Copy, Debug, Enum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", try_from = "String")]
#[oai(rename = "ReportedEvidence", rename_all = "snake_case")]
enum EvidenceRequest {
    /// Requested it.
    Fetched,
    /// Set it in the model's session.
    Set,
    /// Read it back from the model's prompt.
    InPrompt,
}

/// Parsed from a string, because a derived `Deserialize` would also accept `{"set": null}`.
impl TryFrom<String> for EvidenceRequest {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        match text.as_str() {
            "fetched" => Ok(Self::Fetched),
            "set" => Ok(Self::Set),
            "in_prompt" => Ok(Self::InPrompt),
            _ => Err("One of these is expected here: fetched, set, in_prompt."),
        }
    }
}

impl From<EvidenceRequest> for Evidence {
    fn from(request: EvidenceRequest) -> Self {
        match request {
            EvidenceRequest::Fetched => Self::Fetched,
            EvidenceRequest::Set => Self::Set,
            EvidenceRequest::InPrompt => Self::InPrompt,
        }
    }
}

/// Your statement that the session runs under a version of the rules.
#[derive(Debug, Object, Deserialize)]
#[oai(example, skip_serializing_if_is_none)]
pub struct ReceiptRequest {
    /// The version, as you received it.
    version: Text<2_000>,
    /// Since when; the time of arrival if omitted or impossible.
    at: Option<Timestamp>,
    /// What you did with it. Don't claim more than you know.
    evidence: EvidenceRequest,
    /// Why you don't follow it, if you don't; for example, because it is too long for the model.
    refused: Option<Text<200>>,
}

/// A placeholder: a real version is assigned by the server.
impl Example for ReceiptRequest {
    fn example() -> Self {
        Self {
            version: Text::new("2-9c1f0a3b5d7e9f12").unwrap_or_default(),
            at: None,
            evidence: EvidenceRequest::Set,
            refused: None,
        }
    }
}

impl ReceiptRequest {
    fn into_receipt(self, now: Timestamp) -> Receipt {
        Receipt {
            version: self.version.into_string(),
            at: self.at.filter(|at| is_possible(*at, now)),
            evidence: self.evidence.into(),
            refused: self.refused.map(Text::into_string),
        }
    }
}

/// A message or a receipt that was not stored.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Rejected", skip_serializing_if_is_none)]
pub struct Rejected {
    /// The message's index in `messages`, from 0; omitted for a receipt.
    pub index: Option<u32>,
    /// The message's id, if it has one.
    pub message_id: Option<Text<200>>,
    /// Why; `at` is a place in the delivery.
    #[serde(flatten)]
    #[oai(flatten)]
    pub problem: Problem,
}

impl Rejected {
    /// Rejects the message at this index.
    pub fn message(index: u32, id: Option<String>, refusal: &Refusal) -> Self {
        Self {
            index: Some(index),
            message_id: id.and_then(|id| Text::new(id).ok()),
            ..Self::item(format_args!("/messages/{index}"), refusal)
        }
    }

    /// Rejects an item at this place in the delivery. The refusal's own place is in the item.
    pub fn item(item: impl Display, refusal: &Refusal) -> Self {
        let mut problem = Problem::from(refusal);
        problem.at = Some(format!("{item}{}", refusal.place().unwrap_or_default()));
        Self {
            index: None,
            message_id: None,
            problem,
        }
    }
}

/// Rejects the receipt at this index: its version was never sent to the assistant.
pub fn unknown_version(place: usize) -> Rejected {
    let sentence = "You were not told this version of this child's rules.";
    let refusal = Refusal::malformed(Code::RulesVersionUnknown, sentence);
    Rejected::item(format_args!("/rules/{place}"), &refusal.at("/version"))
}

/// Parses each receipt separately. Returns the indices of the valid ones, and these receipts.
pub fn read_receipts(
    items: Option<Items<RECEIPTS_AT_ONCE, ReceiptRequest>>,
    now: Timestamp,
    unknown: &mut UnknownFields,
    rejected: &mut Vec<Rejected>,
) -> (Vec<usize>, Vec<Receipt>) {
    let items = items.map_or_else(Vec::new, Items::into_vec);
    let (mut places, mut receipts) = (Vec::new(), Vec::new());
    for (place, item) in items.iter().enumerate() {
        match item.read() {
            Ok((receipt, fields)) => {
                unknown.extend_below("rules", fields);
                places.push(place);
                receipts.push(receipt.into_receipt(now));
            }
            Err(refusal) => {
                let place = format_args!("/rules/{place}");
                rejected.push(Rejected::item(place, &refusal));
            }
        }
    }
    (places, receipts)
}
