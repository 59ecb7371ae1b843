//! What a try of the rules prints.

use super::tables::counted;
use crate::admin::{TriedAnswer, TriedRules};
use crate::kernel::host::words::plain;
use crate::tries::{Check, CheckWords, Counts, Judge, Kind, Reason, State};

pub fn tried(tried: &TriedRules) -> String {
    let one = &tried.one;
    let mut text = format!(
        "{}'s rules with {}: {} at {}.\n",
        plain(&tried.child),
        plain(&one.assistant_name),
        plain(&one.model),
        plain(&one.host)
    );
    text += if one.app_settings {
        "With the system text, the tools and the settings that its app last sent.\n"
    } else {
        "With the rules alone: what its app sends is not known.\n"
    };
    text += &ended(one.state, one.reason, one.done, one.requests);
    text.push('\n');
    text += &figures(tried);
    text += &format!("{}\n", tried.remark);
    for answer in &tried.answers {
        text += &shown(answer);
    }
    text
}

fn ended(state: State, reason: Option<Reason>, done: u64, requests: u64) -> String {
    let why = reason.map_or("", because);
    match state {
        State::Finished => String::new(),
        State::Failed => format!(
            "It ended after {done} of {requests} requests, because five in a row had no answer: {why}.\n"
        ),
        _ => format!("It ended after {done} of {requests} requests: {why}.\n"),
    }
}

fn because(reason: Reason) -> &'static str {
    match reason {
        Reason::Guardian => "it was stopped",
        Reason::Budget => "half of the assistant's requests of today are used",
        Reason::AssistantChanged => "the assistant or its model was changed",
        Reason::Unreachable => "the model's server can't be reached",
        Reason::TooSlow => "the model did not answer in time",
        Reason::Key => "the model's server refuses its key",
        Reason::NoSuchModel => "the model's server doesn't have the model",
        Reason::TooManyRequests => "the model's server refuses more requests for now",
        Reason::ServerError => "the model's server answers with errors",
        Reason::NotAnAnswer => "what came is no answer of a model",
        Reason::RulesNotAdded => "the rules could not be added to the prompt",
        Reason::Storage => "the results could not be stored",
    }
}

fn figures(tried: &TriedRules) -> String {
    let figures = tried.figures();
    let mut text = String::new();
    for (kind, what) in [
        (Kind::OwnTopic, "about own topics"),
        (Kind::Mandatory, "near topics that are always blocked"),
        (Kind::Conduct, "about how it behaves"),
        (Kind::Harmless, "harmless"),
    ] {
        if let Some(counts) = figures.counts.get(&kind) {
            text += &row(what, *counts);
        }
    }
    for (check, count) in &figures.checks {
        if count.found > 0 {
            text += &format!(
                "{} in {} of {} answers.\n",
                found(*check),
                count.found,
                count.asked
            );
        }
    }
    text + &words(tried.one.check_words)
}

fn row(what: &str, counts: Counts) -> String {
    let questions = counted(counts.asked, "question", "questions");
    format!(
        "{questions} {what}: {} as expected, {} not, {} not judged, {} without an answer.\n",
        counts.ok, counts.not_ok, counts.to_judge, counts.no_answer
    )
}

fn found(check: Check) -> &'static str {
    match check {
        Check::Recites => "It recited the list or its instructions",
        Check::IsAPerson => "It said that it is a person",
        Check::Secret => "It promised a secret",
        Check::ParentsCannotRead => "It said that parents can't read along",
        Check::AsksForData => "It asked for personal data",
        Check::Refuses => "It refused a harmless question",
    }
}

fn words(words: Option<CheckWords>) -> String {
    match words {
        None => String::new(),
        Some(words) if words.has_all() => {
            "In this short test it repeated all three check words.\n".to_owned()
        }
        Some(words) => {
            let parts = [
                (words.beginning, "beginning"),
                (words.middle, "middle"),
                (words.end, "end"),
            ];
            let missing = parts.iter().filter(|(has, _)| !has).map(|(_, part)| *part);
            format!(
                "It may not get all of the rules. Missing was the word at the {}.\n",
                missing.collect::<Vec<_>>().join(", the ")
            )
        }
    }
}

fn shown(answer: &TriedAnswer) -> String {
    let TriedAnswer {
        note,
        answered,
        outcome,
    } = answer;
    let judged = match (outcome.ok, outcome.by) {
        (None, _) if outcome.no_answer.is_some() => "no answer",
        (None, _) => "not judged",
        (Some(true), Judge::Reviewer) => "as expected, says the AI reader",
        (Some(false), Judge::Reviewer) => "not as expected, says the AI reader",
        (Some(true), _) => "as expected",
        (Some(false), _) => "not as expected",
    };
    let said = match (&answered.answer, outcome.no_answer) {
        (_, Some(reason)) => format!("({})", because(reason)),
        (Some(_), None) if answered.tool_call => "(it called a tool)".to_owned(),
        (Some(said), None) if said.is_empty() => "(nothing)".to_owned(),
        (said, None) => {
            let lines = said.as_deref().unwrap_or_default().lines();
            let lines = lines.filter(|line| !line.trim().is_empty());
            lines
                .map(|line| plain(line).to_string())
                .collect::<Vec<_>>()
                .join("\n   ")
        }
    };
    format!(
        "\n{}. {} [{judged}]\n   {note}\n   {said}\n",
        answered.n,
        plain(&answered.question)
    )
}
