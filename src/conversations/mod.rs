//! What was said: transcripts, and searching them.

pub mod search;
pub mod transcripts;
