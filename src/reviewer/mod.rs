//! A model of the family's own that points at something in a conversation. Code decides whether there is such a place.
//!
//! The model gets a part of a conversation as data, with ids made for this request, and answers by a schema. A finding counts
//! only if its quote stands in the message that it names. What a child says to the model can change that model's answer and
//! nothing else.

mod answer;
mod definitions;
mod judging;
mod locating;
mod request;

pub use crate::alerts::{Concern, Severity};
pub use answer::{NotAnAnswer, RawFinding, parse};
pub use judging::{Judged, Model, ReviewFailed, judge};
pub use locating::{Finding, Located, locate};
pub use request::{Request, Said};
