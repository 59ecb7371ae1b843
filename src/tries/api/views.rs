//! Tries on the wire.

use poem_openapi::Object;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::children::ChildAccess;
use crate::children::history::api::AuthorView;
use crate::identity::{AssistantId, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::kernel::store::StoreError;
use crate::tries::phrases::reliability;
use crate::tries::questions::{Check, Kind};
use crate::tries::record::{CheckWords, Reason, ReviewedBy, State, Try, TryId};
use crate::tries::result::{CheckCount, Counts, SaidComputer, TryFigures};
use crate::tries::service::{ANSWERS_KEPT, Tries};

/// The answers to questions of one kind, as the caller sees them: with their own verdicts.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "TryCounts")]
struct CountsView {
    /// Questions that were asked: `ok`, `not_ok`, `to_judge` and `no_answer` together.
    asked: u64,
    /// Answers that are as expected.
    ok: u64,
    /// Answers that are not.
    not_ok: u64,
    /// Answers that nobody has judged: they wait for the caller.
    to_judge: u64,
    no_answer: u64,
}

impl From<Counts> for CountsView {
    fn from(counts: Counts) -> Self {
        Self {
            asked: counts.asked,
            ok: counts.ok,
            not_ok: counts.not_ok,
            to_judge: counts.to_judge,
            no_answer: counts.no_answer,
        }
    }
}

/// How often one check was made without a model, and how often it found something.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "TryCheckCount")]
struct CheckCountView {
    check: Check,
    /// Answers to which the check applies.
    asked: u64,
    /// Those in which it found something.
    found: u64,
    /// How many bad answers it was tested with in this language.
    bad_in_test: u64,
    /// How many of those it found. An answer in which it finds nothing waits for a guardian.
    found_in_test: u64,
}

/// How often the model was asked whether it is a person, and how often it said that it is a computer, or no person.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "TrySaidComputer")]
struct SaidComputerView {
    /// Its answers to that question. Those in another language than the question count as not saying it.
    asked: u64,
    said: u64,
}

impl From<SaidComputer> for SaidComputerView {
    fn from(SaidComputer { asked, said }: SaidComputer) -> Self {
        Self { asked, said }
    }
}

/// Which check words the model repeated. They stood at the beginning, in the middle and at the end of the rules.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "TryCheckWords")]
struct CheckWordsView {
    beginning: bool,
    middle: bool,
    end: bool,
    /// The length of the made-up conversation before the question, in bytes: as long as the child's longest, at most 64 KiB.
    history_bytes: u64,
}

impl From<CheckWords> for CheckWordsView {
    fn from(words: CheckWords) -> Self {
        Self {
            beginning: words.beginning,
            middle: words.middle,
            end: words.end,
            history_bytes: words.history_bytes,
        }
    }
}

/// The AI reader that judged, and how reliable it was in its test.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "TryReviewer")]
pub struct ReviewedByView {
    model: String,
    host: String,
    /// Whether that host is on the home network, as far as its name tells.
    private: bool,
    /// The places that it found in its test.
    found: u64,
    /// The places that it missed.
    missed: u64,
    /// False alarms in a week of ordinary conversations.
    false_alarms_a_week: f64,
}

impl From<ReviewedBy> for ReviewedByView {
    fn from(by: ReviewedBy) -> Self {
        let weeks = by.weeks.max(1) as f64;
        Self {
            false_alarms_a_week: by.false_alarms_in_weeks as f64 / weeks,
            model: by.model,
            host: by.host,
            private: by.private,
            found: by.found,
            missed: by.missed,
        }
    }
}

/// A try of a child's rules: made-up questions to an assistant's model. Another try can come out differently.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Try", skip_serializing_if_is_none)]
pub struct TryView {
    try_id: TryId,
    state: State,
    /// Of `stopped` and `failed`.
    reason: Option<Reason>,
    started_at: Timestamp,
    ended_at: Option<Timestamp>,
    /// The guardian who started it; omitted for a former guardian and for the administrator.
    by: Option<AuthorView>,
    assistant_id: AssistantId,
    /// The assistant's name when the try was started.
    assistant_name: String,
    language: Language,
    /// The model that was asked.
    model: String,
    /// Where the questions went: the host of the model's server.
    host: String,
    /// Whether that host is on the home network, as far as its name tells.
    private: bool,
    /// Whether the system text, the tools and the settings that the assistant's app last sent were in the prompt. Otherwise it had
    /// the rules alone.
    app_settings: bool,
    /// How many own topics the guardians had blocked.
    own_topics: u64,
    /// How many of those were asked about: at most ten, chosen at random.
    own_topics_asked: u64,
    /// How many requests to the model it takes.
    requests: u64,
    /// How many of them are done.
    done: u64,
    /// Questions about the guardians' own topics.
    about_own_topics: CountsView,
    /// Questions near topics that are always blocked.
    about_mandatory: CountsView,
    /// Questions about how the assistant behaves with a child.
    about_conduct: CountsView,
    /// Harmless questions that must be answered.
    harmless: CountsView,
    /// What was found without a model, for each check that was made.
    checks: Vec<CheckCountView>,
    said_computer: SaidComputerView,
    /// Omitted while the question for the check words has no answer.
    check_words: Option<CheckWordsView>,
    /// The AI reader that judged whether answers kept away from topics. Omitted if it is off, or its model is unfit.
    reviewer: Option<ReviewedByView>,
    /// When the rules were first changed after this try's version; omitted if they are still the same.
    rules_changed_at: Option<Timestamp>,
    /// When its answers are deleted.
    answers_until: Timestamp,
}

impl TryView {
    pub fn of(
        tries: &Tries,
        access: &ChildAccess,
        reader: &SignedIn,
        one: Try,
    ) -> Result<Self, StoreError> {
        let verdicts = tries.verdicts(access, reader.guardian(), one.id)?;
        let figures = TryFigures::of(&one, &verdicts);
        let by = match &one.by {
            Some(by) => tries.author(access, reader, by)?,
            None => None,
        };
        let counts = |kind: Kind| {
            let counts = figures.counts.get(&kind).copied();
            CountsView::from(counts.unwrap_or_default())
        };
        let checks = figures.checks.iter();
        let checks = checks.map(|(check, CheckCount { asked, found })| {
            let figures = reliability(*check, one.language);
            CheckCountView {
                check: *check,
                asked: *asked,
                found: *found,
                bad_in_test: figures.map_or(0, |figures| figures.bad),
                found_in_test: figures.map_or(0, |figures| figures.found),
            }
        });
        Ok(Self {
            try_id: one.id,
            state: one.state,
            reason: one.reason,
            started_at: one.at,
            ended_at: one.ended_at,
            by: by.map(AuthorView::from),
            language: one.language,
            private: one.private,
            app_settings: one.app_settings,
            own_topics: one.own_topics,
            own_topics_asked: one.own_topics_asked,
            requests: one.requests,
            done: one.done,
            about_own_topics: counts(Kind::OwnTopic),
            about_mandatory: counts(Kind::Mandatory),
            about_conduct: counts(Kind::Conduct),
            harmless: counts(Kind::Harmless),
            checks: checks.collect(),
            said_computer: figures.said_computer.into(),
            check_words: one.check_words.map(CheckWordsView::from),
            rules_changed_at: tries.rules_changed_since(access, &one)?,
            answers_until: one.at.after(ANSWERS_KEPT),
            assistant_id: one.assistant,
            assistant_name: one.assistant_name,
            model: one.model,
            host: one.host,
            reviewer: one.reviewer.map(ReviewedByView::from),
        })
    }
}
