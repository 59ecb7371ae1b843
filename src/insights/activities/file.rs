//! Upcoming activities and feedback in an exported file. Completed activities are exported with their sessions.

use serde::Deserialize;

use super::{Activities, ActivityId, Feedback, UpcomingActivity, Vote, store};
use crate::children::file::{ChildField, FieldError, ImportChildField, json_list};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::wire::Text;

pub(super) const UPCOMING: ChildField = ChildField {
    name: "upcoming",
    export: |view, access, _, left_out| {
        let upcoming = store::upcoming(view, access.child())?;
        left_out.add("upcoming", upcoming.unreadable);
        let rows = upcoming.rows.iter().map(|row| row.json());
        Ok(Some(json_list(rows)))
    },
    read: |json| {
        let all = FieldError::parse::<Vec<UpcomingSeed>>(json)?;
        // Two assistants may have proposed activities with the same id.
        let all = all.into_iter().map(UpcomingActivity::from);
        let all = all.collect::<Vec<_>>();
        Ok(ImportChildField::alone(move |change, access, _| {
            Activities::import_upcoming(change, access, &all)
        }))
    },
};

/// Imported feedback has the time of the import. Its author isn't exported, so nobody can take imported feedback back.
pub(super) const FEEDBACK: ChildField = ChildField {
    name: "feedback",
    export: |view, access, _, left_out| {
        let (mut all, mut after) = (Vec::new(), store::before_verdicts(access.child()));
        loop {
            let limit = Activities::VERDICTS_AT_ONCE;
            let page = store::verdicts(view, access.child(), &after, limit)?;
            left_out.add("verdict", page.unreadable);
            all.extend(page.rows.iter().map(|row| row.json().to_vec()));
            match page.end.filter(|_| page.has_next) {
                Some(end) => after = end,
                None => return Ok(Some(json_list(all.iter().map(Vec::as_slice)))),
            }
        }
    },
    read: |json| {
        let all = FieldError::parse::<Vec<FeedbackSeed>>(json)?;
        Ok(ImportChildField::alone(move |change, access, now| {
            access.confirm(change)?;
            for seed in all {
                let reason = seed.reason.map(Text::into_string);
                let feedback = Feedback::new(seed.feedback, reason.as_deref());
                let verdict = feedback.on(seed.activity_id, now, None);
                store::put_verdict(change, access.child(), &verdict)?;
            }
            Ok(())
        }))
    },
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UpcomingSeed {
    activity_id: ActivityId,
    topic: Text<200>,
    summary: Option<Text<2000>>,
}

impl From<UpcomingSeed> for UpcomingActivity {
    fn from(seed: UpcomingSeed) -> Self {
        Self {
            activity_id: seed.activity_id,
            topic: seed.topic.into_string(),
            summary: seed.summary.map(Text::into_string),
        }
    }
}

/// Feedback on an activity; `at`, which an export contains, is not imported.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FeedbackSeed {
    activity_id: ActivityId,
    feedback: Vote,
    reason: Option<Text<2000>>,
    #[serde(rename = "at")]
    _at: Option<Timestamp>,
}
