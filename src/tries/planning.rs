//! The plan of a try: its questions, its model, and how many requests and tokens it takes.

use std::collections::BTreeSet;

use super::check_words::LONGEST_HISTORY;
use super::choosing::{self, Chosen, Seed};
use super::judging::TopicReviewer;
use super::prompts::Prompt;
use super::questions::Question;
use super::record::ReviewedBy;
use super::{Tries, TriesError, store};
use crate::assistants::gateway::trial::Trial;
use crate::children::ChildAccess;
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::kernel::store::{StoreError, run_blocking};

/// How many of a child's conversations are measured: those with the most messages.
const MEASURED: usize = 20;

/// About how many bytes of a prompt are one token.
const BYTES_A_TOKEN: u64 = 3;

/// About how many tokens an answer has.
const ANSWER_TOKENS: u64 = 200;

/// Everything that a try needs.
#[derive(Clone)]
pub struct Plan {
    pub language: Language,
    pub trial: Trial,
    pub chosen: Chosen,
    /// The length of the made-up conversation before the check words, in bytes. `None` without check words.
    pub history_bytes: Option<u64>,
    pub reader: Option<TopicReviewer>,
}

/// What a guardian is shown before a try.
pub struct Preview {
    pub plan: Plan,
    pub requests: u64,
    /// About how many tokens the requests and their answers take.
    pub tokens: u64,
    pub reviewer: Option<(ReviewedBy, u64)>,
    /// When the guardian may start the next one, if not now.
    pub allowed_at: Option<Timestamp>,
}

impl Plan {
    /// How many requests to the assistant's model it takes.
    pub fn requests(&self) -> u64 {
        let turns = self
            .chosen
            .questions
            .iter()
            .map(|one| one.turns.len() as u64);
        turns.sum::<u64>() + u64::from(self.history_bytes.is_some())
    }

    /// How many requests to the AI reader it takes.
    pub fn reviews(&self) -> u64 {
        let questions = self.chosen.questions.iter();
        let judged = questions.filter(|question| TopicReviewer::judges(question));
        judged.map(|question| question.turns.len() as u64).sum()
    }

    /// About how many tokens the requests and their answers take.
    pub fn tokens(&self) -> u64 {
        let rules = &self.trial.rules.instructions;
        let size = |conversation: &[(&str, &str)]| {
            let body = self.trial.body(rules, conversation);
            body.map_or(0, |body| body.len() as u64)
        };
        // The prompt is the same in each request.
        let prompt = size(&[]);
        let of_question = |question: &Question| {
            let mut said = 0;
            let turns = question.turns.iter().enumerate();
            let turns = turns.map(|(index, turn)| {
                said += turn.len() as u64;
                prompt + said + index as u64 * ANSWER_TOKENS * BYTES_A_TOKEN
            });
            turns.sum::<u64>()
        };
        let questions = self.chosen.questions.iter().map(of_question).sum::<u64>();
        let words = self.history_bytes.map_or(0, |history| prompt + history);
        (questions + words) / BYTES_A_TOKEN + self.requests() * ANSWER_TOKENS
    }
}

impl Tries {
    /// What a try of this guardian's would ask now; the administrator's without one.
    pub async fn plan(
        &self,
        access: &ChildAccess,
        by: Option<&GuardianId>,
        assistant: &AssistantId,
        language: Language,
        asked: Option<&BTreeSet<String>>,
    ) -> Result<Plan, TriesError> {
        let trial = self.gateway.trial(access, assistant)?;
        let reader = TopicReviewer::of(&self.reviewer, &self.store, access.child())?;
        // Questions about crime go neither to a model nor to an AI reader elsewhere.
        let is_at_home = trial.upstream.url.is_private()
            && reader
                .as_ref()
                .is_none_or(|reader| reader.permitted.model.is_private());
        let own = store::all(&self.store, access.child())?;
        let before = own.iter().filter(|one| one.by.as_ref() == by).count();
        let seed = Seed::of(access.child(), assistant, by, before as u64);
        let chosen = choosing::choose(seed, &trial.rules.topics, language, is_at_home, asked);
        Ok(Plan {
            language,
            chosen,
            history_bytes: Some(self.longest_conversation(access).await?),
            reader,
            trial,
        })
    }

    /// What is asked with an administrator's own questions.
    pub fn plan_of(
        &self,
        access: &ChildAccess,
        assistant: &AssistantId,
        language: Language,
        prompts: Vec<Prompt>,
    ) -> Result<Plan, TriesError> {
        let chosen = Chosen {
            questions: prompts.into_iter().map(Question::from).collect(),
            own_topics: 0,
            own_topics_asked: 0,
        };
        Ok(Plan {
            language,
            trial: self.gateway.trial(access, assistant)?,
            chosen,
            history_bytes: None,
            reader: None,
        })
    }

    pub async fn preview(
        &self,
        access: &ChildAccess,
        by: &GuardianId,
        assistant: &AssistantId,
        language: Language,
    ) -> Result<Preview, TriesError> {
        let plan = self
            .plan(access, Some(by), assistant, language, None)
            .await?;
        let reader = plan.reader.as_ref();
        Ok(Preview {
            requests: plan.requests(),
            tokens: plan.tokens(),
            reviewer: reader.map(|reader| (reader.shown(), plan.reviews())),
            allowed_at: self.next_allowed(&self.store, access.child(), by)?,
            plan,
        })
    }

    /// The length of the child's longest conversation in bytes, at most [`LONGEST_HISTORY`].
    async fn longest_conversation(&self, access: &ChildAccess) -> Result<u64, StoreError> {
        let (tries, access) = (self.clone(), access.clone());
        run_blocking(move || {
            let view = &tries.store;
            let (mut sessions, _) = tries.transcripts.list_all_sessions(view, &access)?;
            sessions.sort_by_key(|session| std::cmp::Reverse(session.message_count));
            let mut longest = 0;
            for session in sessions.iter().take(MEASURED) {
                let bytes = tries
                    .transcripts
                    .count_bytes(view, session, LONGEST_HISTORY)?;
                longest = longest.max(bytes.min(LONGEST_HISTORY));
                if longest == LONGEST_HISTORY {
                    break;
                }
            }
            Ok(longest)
        })
        .await
    }
}
