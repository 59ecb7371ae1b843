//! A conversation as a model gets it.

use super::request::Said;
use crate::rules::blocked_topics::MANDATORY;

#[derive(Clone, Debug)]
pub struct Conversation {
    pub said: Vec<Said>,
    pub blocked_topics: Vec<String>,
}

impl Conversation {
    /// `own_topics` are the topics that the parents blocked. The topics that are always blocked are added before them.
    pub fn new(said: Vec<Said>, own_topics: &[String]) -> Self {
        let mandatory = MANDATORY.iter().map(|topic| (*topic).to_owned());
        Self {
            said,
            blocked_topics: mandatory.chain(own_topics.iter().cloned()).collect(),
        }
    }
}
