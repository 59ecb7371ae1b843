//! Summary's status line: what the child's assistants are doing now, given the quiet hours, the daily limit and a pause.

use std::time::Duration;

use poem_openapi::Enum;
use serde::Serialize;

use super::receipts::{self, Evidence, RuleStatus};
use super::{Rules, pauses};
use crate::children::history::Author;
use crate::children::{ChildAccess, ChildId, SessionId};
use crate::conversations::transcripts::Heard;
use crate::identity::{AssistantId, Caller, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{StoreError, readable};
use crate::rules::schedule::{Pause, Talk, Why};

/// The time that an assistant has to say goodbye after a pause begins.
const GOODBYE: Duration = Duration::from_secs(60);

/// What a child's assistants are doing. The first state in this order that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "TalkState", rename_all = "snake_case")]
pub enum TalkState {
    /// Talking is paused, but an assistant continues.
    StillTalking,
    /// Talking is paused, and an assistant has not fetched the pause yet.
    Pausing,
    /// Talking is paused, and no assistant is without the pause: each has fetched it, never called, or is behind the gateway, which
    /// enforces it.
    Paused,
    /// An assistant is talking with the child. `why` says if that is not allowed.
    Talking,
    /// The child has no assistant.
    NoAssistant,
    /// Quiet hours.
    QuietHours,
    /// The day's minutes are used up.
    TimeUsedUp,
    /// None of these.
    NotTalking,
}

/// What the child's assistants are doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TalkStatus {
    pub state: TalkState,
    /// Who talks, or still talks; without assistants whose name is unknown.
    pub talking: Vec<String>,
    /// Who hasn't fetched the pause.
    pub unconfirmed: Vec<String>,
    /// The conversation in progress.
    pub session: Option<SessionId>,
    /// Why talking is not allowed.
    pub why: Option<Why>,
    /// When the pause ends, or otherwise when talking is allowed again.
    pub until: Option<Timestamp>,
    pub pause: Option<Pause>,
    /// Who paused; `None` for a former guardian, or if unknown.
    pub paused_by: Option<Author>,
    pub last_heard: Option<LastHeard>,
    /// The next time at which this changes by the clock alone.
    pub next_change: Option<Timestamp>,
}

/// The conversation with the newest message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastHeard {
    pub at: Timestamp,
    pub session: SessionId,
    pub assistant: Option<String>,
}

impl LastHeard {
    fn of(heard: &Heard, connected: &[Connected]) -> Self {
        Self {
            at: heard.last_said,
            session: heard.session,
            assistant: name_of(connected, heard),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildTalk {
    pub child: ChildId,
    pub is_talking: bool,
    /// The time of the newest message.
    pub last_said: Option<Timestamp>,
}

/// An assistant of the child.
struct Connected {
    id: AssistantId,
    /// `None` if its record is unreadable.
    name: Option<String>,
    /// `None` if it is unreadable.
    status: Option<RuleStatus>,
}

/// For an assistant whose name is unreadable.
const UNNAMED: &str = "An assistant";

impl Connected {
    /// The gateway enforces pauses itself.
    fn is_enforced(&self) -> bool {
        let follows = self
            .status
            .as_ref()
            .and_then(|status| status.follows.as_ref());
        follows.is_some_and(|followed| followed.evidence == Evidence::Added)
    }

    /// Whether it may not know of this pause. An assistant that was never seen can't be talking.
    fn may_lack(&self, pause: &Pause) -> bool {
        let Some(status) = &self.status else {
            return true;
        };
        let was_seen = status.issued.is_some() || status.heard_at.is_some();
        was_seen && !self.is_enforced() && status.issued_pause.as_ref() != Some(pause)
    }
}

/// What the status is derived from.
struct Facts {
    now: Timestamp,
    talk: Talk,
    /// When `talk` changes by the clock alone.
    talk_changes: Option<Timestamp>,
    /// With its start, as far as known.
    pause: Option<(Pause, Option<Timestamp>)>,
    connected: Vec<Connected>,
    /// The newest message first.
    heard: Vec<Heard>,
}

/// The status, without who paused.
fn status(facts: Facts) -> TalkStatus {
    let Facts {
        now,
        talk,
        talk_changes,
        pause,
        connected,
        heard,
    } = facts;
    let is_enforced = |id: &AssistantId| {
        let mut enforced = connected.iter().filter(|one| one.is_enforced());
        enforced.any(|one| one.id == *id)
    };
    let mut live = heard.iter().collect::<Vec<_>>();
    live.retain(|one| one.live_until.is_some());
    let ends = live.iter().filter_map(|one| one.live_until);
    let next_change = ends.chain(talk_changes).filter(|at| *at > now).min();
    let unconfirmed = match &pause {
        Some((pause, _)) => {
            let lacking = connected.iter().filter(|one| one.may_lack(pause));
            let names = lacking.map(|one| one.name.as_deref().unwrap_or(UNNAMED));
            names.map(str::to_owned).collect()
        }
        None => Vec::new(),
    };
    let state = match &pause {
        Some((_, since)) => {
            let since = since.unwrap_or(Timestamp::MIN);
            let continues = |one: &&Heard| {
                let enforced = one.assistant.as_ref().is_some_and(is_enforced);
                !enforced && one.last_said.since(one.began.max(since)) > GOODBYE
            };
            if live.iter().any(continues) {
                live.retain(|one| continues(one));
                TalkState::StillTalking
            } else if unconfirmed.is_empty() {
                TalkState::Paused
            } else {
                TalkState::Pausing
            }
        }
        None if !live.is_empty() => TalkState::Talking,
        None if connected.is_empty() => TalkState::NoAssistant,
        None => match talk.why {
            None | Some(Why::Paused) => TalkState::NotTalking,
            Some(Why::QuietHours) => TalkState::QuietHours,
            Some(Why::TimeUsedUp) => TalkState::TimeUsedUp,
        },
    };
    let mut talking = Vec::<String>::new();
    for name in live.iter().filter_map(|one| name_of(&connected, one)) {
        if !talking.contains(&name) {
            talking.push(name);
        }
    }
    TalkStatus {
        state,
        talking,
        unconfirmed,
        session: live.first().map(|one| one.session),
        until: match &pause {
            Some((pause, _)) => pause.until,
            None => talk.why.and(talk.until),
        },
        why: talk.why,
        pause: pause.map(|(pause, _)| pause),
        paused_by: None,
        last_heard: heard.first().map(|one| LastHeard::of(one, &connected)),
        next_change,
    }
}

/// The assistant's present name, or the one that it had.
fn name_of(connected: &[Connected], heard: &Heard) -> Option<String> {
    let present = connected
        .iter()
        .find(|one| heard.assistant.as_ref() == Some(&one.id));
    present
        .and_then(|one| one.name.clone())
        .or_else(|| heard.assistant_name.clone())
}

impl Rules {
    /// What the child's assistants are doing now, and the number of unreadable conversations.
    pub fn talk_status(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
    ) -> Result<(TalkStatus, u64), StoreError> {
        let child = access.child();
        let now = self.clock.now();
        let talk = self.talk(access)?;
        let origin = match &talk.pause {
            Some(pause) => pauses::find(&self.store, child, pause)?,
            None => None,
        };
        let since = origin.as_ref().map(|origin| origin.since);
        let transcripts = &self.dependencies.transcripts;
        let (heard, unreadable) = transcripts.recently_heard(access, now)?;
        let facts = Facts {
            now,
            talk: talk.talk,
            talk_changes: talk.next_change,
            pause: talk.pause.map(|pause| (pause, since)),
            connected: self.connected(access)?,
            heard,
        };
        let paused_by = match origin {
            Some(origin) => {
                let history = &self.dependencies.history;
                history.author(&self.store, access, reader, &origin.by)?
            }
            None => None,
        };
        let status = TalkStatus {
            paused_by,
            ..status(facts)
        };
        Ok((status, unreadable))
    }

    /// The child's conversation with the newest message, and the number of unreadable conversations.
    pub fn last_heard(&self, access: &ChildAccess) -> Result<(Option<LastHeard>, u64), StoreError> {
        let transcripts = &self.dependencies.transcripts;
        let (heard, unreadable) = transcripts.recently_heard(access, self.clock.now())?;
        let connected = self.connected(access)?;
        let last = heard.first().map(|one| LastHeard::of(one, &connected));
        Ok((last, unreadable))
    }

    /// Whether an assistant is talking with each of the guardian's children, by id, and the number of unreadable conversations.
    pub fn list_child_talk(
        &self,
        guardian: &SignedIn,
    ) -> Result<(Vec<ChildTalk>, u64), StoreError> {
        let now = self.clock.now();
        let all = self.dependencies.children.all_of(guardian)?;
        let (mut talk, mut unreadable) = (Vec::new(), 0);
        for access in &all {
            let transcripts = &self.dependencies.transcripts;
            let (heard, unreadable_ones) = transcripts.recently_heard(access, now)?;
            unreadable += unreadable_ones;
            talk.push(ChildTalk {
                child: access.child(),
                is_talking: heard.iter().any(|one| one.live_until.is_some()),
                last_said: heard.first().map(|one| one.last_said),
            });
        }
        Ok((talk, unreadable))
    }

    /// The child's assistants by name.
    fn connected(&self, access: &ChildAccess) -> Result<Vec<Connected>, StoreError> {
        let Self {
            store,
            dependencies,
            ..
        } = self;
        let mut connected = Vec::new();
        let callers = dependencies.children.callers_of(store, access.child())?;
        for id in callers.into_iter().filter_map(Caller::into_assistant) {
            let found = dependencies.assistants.find_by_id(store, &id)?;
            let status = readable(receipts::rule_status(store, access.child(), &id))?;
            connected.push(Connected {
                id,
                name: found.map(|assistant| assistant.name),
                status,
            });
        }
        connected.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(connected)
    }
}

#[cfg(test)]
mod tests {
    use super::super::receipts::Followed;
    use super::super::version::TopicsVersion;
    use super::*;

    const NOW: i64 = 10_000;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_micros(second * 1_000_000)
    }

    fn until(second: i64) -> Pause {
        Pause {
            until: Some(at(second)),
        }
    }

    /// An assistant that was seen, and was last told of this pause.
    fn connected(name: &str, issued_pause: Option<Pause>) -> Connected {
        Connected {
            id: AssistantId::from_text(name),
            name: Some(name.to_owned()),
            status: Some(RuleStatus {
                issued: Some((1, at(1))),
                issued_pause,
                ..RuleStatus::default()
            }),
        }
    }

    /// An assistant whose prompts the gateway makes.
    fn behind_gateway(name: &str) -> Connected {
        let mut connected = connected(name, None);
        let status = connected.status.as_mut().unwrap();
        status.follows = Some(Followed {
            topics: TopicsVersion::default(),
            evidence: Evidence::Added,
            since: at(1),
            at: at(1),
        });
        connected
    }

    fn never_seen(name: &str) -> Connected {
        let mut connected = connected(name, None);
        connected.status.as_mut().unwrap().issued = None;
        connected
    }

    /// A conversation in progress.
    fn live(session: u64, name: &str, began: i64, last_said: i64) -> Heard {
        Heard {
            live_until: Some(at(last_said + 120)),
            ..over(session, name, began, last_said)
        }
    }

    fn over(session: u64, name: &str, began: i64, last_said: i64) -> Heard {
        Heard {
            session: SessionId::new(session),
            assistant: Some(AssistantId::from_text(name)),
            assistant_name: Some(name.to_owned()),
            began: at(began),
            last_said: at(last_said),
            live_until: None,
        }
    }

    fn facts(connected: Vec<Connected>, heard: Vec<Heard>) -> Facts {
        Facts {
            now: at(NOW),
            talk: Talk {
                why: None,
                until: Some(at(20_000)),
                seconds_left: None,
            },
            talk_changes: None,
            pause: None,
            connected,
            heard,
        }
    }

    fn not_allowed(why: Why, facts: Facts) -> Facts {
        Facts {
            talk: Talk {
                why: Some(why),
                ..facts.talk
            },
            ..facts
        }
    }

    fn paused(pause: Pause, since: Option<i64>, facts: Facts) -> Facts {
        Facts {
            pause: Some((pause, since.map(at))),
            ..not_allowed(Why::Paused, facts)
        }
    }

    fn names(of: &[&str]) -> Vec<String> {
        of.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn without_a_pause_a_conversation_comes_first_then_why_there_is_none() {
        use TalkState::{NoAssistant, NotTalking, QuietHours, Talking, TimeUsedUp};
        let kitchen = || vec![connected("Kitchen", None)];
        let cases = [
            (facts(vec![], vec![]), NoAssistant),
            (facts(vec![], vec![over(1, "Kitchen", 10, 90)]), NoAssistant),
            (facts(vec![never_seen("Kitchen")], vec![]), NotTalking),
            (
                facts(kitchen(), vec![over(1, "Kitchen", 10, 90)]),
                NotTalking,
            ),
            (facts(kitchen(), vec![live(1, "Kitchen", 10, NOW)]), Talking),
            // Its key was just disconnected.
            (facts(vec![], vec![live(1, "Kitchen", 10, NOW)]), Talking),
            (
                not_allowed(Why::QuietHours, facts(kitchen(), vec![])),
                QuietHours,
            ),
            (
                not_allowed(
                    Why::QuietHours,
                    facts(kitchen(), vec![live(1, "Kitchen", 10, NOW)]),
                ),
                Talking,
            ),
            (
                not_allowed(Why::TimeUsedUp, facts(kitchen(), vec![])),
                TimeUsedUp,
            ),
            (
                not_allowed(Why::QuietHours, facts(vec![], vec![])),
                NoAssistant,
            ),
        ];

        for (index, (facts, expected)) in cases.into_iter().enumerate() {
            assert_eq!(status(facts).state, expected, "case {index}");
        }
    }

    #[test]
    fn a_pause_is_confirmed_once_every_assistant_that_was_ever_seen_was_told_of_its_end() {
        let hour = || Some(until(13_600));
        let cases = [
            (vec![], TalkState::Paused, names(&[])),
            (vec![never_seen("Toy")], TalkState::Paused, names(&[])),
            (vec![behind_gateway("App")], TalkState::Paused, names(&[])),
            (
                vec![connected("Kitchen", hour())],
                TalkState::Paused,
                names(&[]),
            ),
            (
                vec![connected("Kitchen", None)],
                TalkState::Pausing,
                names(&["Kitchen"]),
            ),
            // It knows an earlier end, and would talk from then on.
            (
                vec![connected("Kitchen", Some(until(12_000)))],
                TalkState::Pausing,
                names(&["Kitchen"]),
            ),
            (
                vec![
                    connected("Hall", None),
                    connected("Kitchen", hour()),
                    connected("Room", None),
                    behind_gateway("App"),
                ],
                TalkState::Pausing,
                names(&["Hall", "Room"]),
            ),
        ];

        for (index, (connected, state, unconfirmed)) in cases.into_iter().enumerate() {
            let found = status(paused(until(13_600), Some(9_990), facts(connected, vec![])));
            assert_eq!(found.state, state, "case {index}");
            assert_eq!(found.unconfirmed, unconfirmed, "case {index}");
            assert_eq!(found.until, Some(at(13_600)));
        }
    }

    #[test]
    fn of_an_unreadable_assistant_a_pause_is_never_confirmed() {
        let mut damaged = connected("Kitchen", Some(until(13_600)));
        damaged.status = None;
        let mut nameless = connected("Room", None);
        nameless.name = None;

        let facts = facts(vec![damaged, nameless], vec![]);
        let found = status(paused(until(13_600), Some(9_990), facts));

        assert_eq!(found.state, TalkState::Pausing);
        assert_eq!(found.unconfirmed, names(&["Kitchen", "An assistant"]));
    }

    #[test]
    fn who_continues_for_more_than_a_minute_after_the_pause_is_still_talking() {
        use TalkState::{Paused, Pausing, StillTalking};
        let informed = || connected("Kitchen", Some(until(13_600)));
        let cases = [
            // It says goodbye.
            (
                informed(),
                live(1, "Kitchen", 9_000, 9_960),
                Some(9_900),
                Paused,
            ),
            (
                informed(),
                live(1, "Kitchen", 9_000, 9_961),
                Some(9_900),
                StillTalking,
            ),
            (
                connected("Kitchen", None),
                live(1, "Kitchen", 9_000, 9_960),
                Some(9_900),
                Pausing,
            ),
            // The child tried again, and was told goodbye again.
            (
                informed(),
                live(1, "Kitchen", 9_980, 9_990),
                Some(9_000),
                Paused,
            ),
            (
                informed(),
                live(1, "Kitchen", 9_900, 9_990),
                Some(9_000),
                StillTalking,
            ),
            (
                informed(),
                over(1, "Kitchen", 9_900, 9_990),
                Some(9_000),
                Paused,
            ),
            // An imported pause.
            (
                informed(),
                live(1, "Kitchen", 9_000, 9_990),
                None,
                StillTalking,
            ),
            // The gateway answers with a goodbye itself.
            (
                behind_gateway("Kitchen"),
                live(1, "Kitchen", 9_000, 9_990),
                Some(9_000),
                Paused,
            ),
        ];

        for (index, (connected, heard, since, expected)) in cases.into_iter().enumerate() {
            let facts = facts(vec![connected], vec![heard]);
            let found = status(paused(until(13_600), since, facts));
            assert_eq!(found.state, expected, "case {index}");
        }
    }

    #[test]
    fn who_talks_on_and_who_has_not_confirmed_are_named_apart() {
        let all = vec![
            connected("Hall", None),
            connected("Kitchen", None),
            connected("Room", Some(until(13_600))),
        ];
        let heard = vec![
            live(7, "Room", 9_980, 9_990),
            live(5, "Kitchen", 9_000, 9_980),
            live(4, "Kitchen", 9_000, 9_970),
        ];

        let found = status(paused(until(13_600), Some(9_800), facts(all, heard)));

        assert_eq!(found.state, TalkState::StillTalking);
        assert_eq!(found.talking, names(&["Kitchen"]));
        assert_eq!(found.unconfirmed, names(&["Hall", "Kitchen"]));
        assert_eq!(found.session, Some(SessionId::new(5)));
    }

    #[test]
    fn the_newest_conversation_is_linked_and_named_by_its_assistants_present_name() {
        let mut renamed = connected("Kitchen", None);
        renamed.name = Some("Living room".to_owned());
        let heard = vec![
            live(9, "Kitchen", 9_000, 9_990),
            live(8, "Gone", 9_000, 9_980),
        ];

        let found = status(facts(vec![renamed], heard));

        assert_eq!(found.talking, names(&["Living room", "Gone"]));
        assert_eq!(found.session, Some(SessionId::new(9)));
        let last = found.last_heard.unwrap();
        assert_eq!(last.assistant.as_deref(), Some("Living room"));
        assert_eq!((last.at, last.session), (at(9_990), SessionId::new(9)));
    }

    #[test]
    fn the_status_changes_by_the_clock_when_a_conversation_falls_silent_or_the_times_change() {
        let kitchen = || vec![connected("Kitchen", None)];
        let talking = || {
            vec![
                live(1, "Kitchen", 9_000, 9_990),
                live(2, "Kitchen", 9_000, 9_950),
            ]
        };
        let changing = |at_second, facts: Facts| Facts {
            talk_changes: Some(at(at_second)),
            ..facts
        };

        assert_eq!(status(facts(kitchen(), vec![])).next_change, None);
        let both = status(changing(20_000, facts(kitchen(), talking())));
        assert_eq!(both.next_change, Some(at(10_070)));
        let sooner = status(changing(10_010, facts(kitchen(), talking())));
        assert_eq!(sooner.next_change, Some(at(10_010)));
    }
}
