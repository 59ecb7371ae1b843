//! The facts of a guardian's week: what happened to each of their children.

use crate::alerts::{AlertReader, Happened};
use crate::children::{ChildId, Children, ChildrenError};
use crate::identity::{Caller, GuardianId};
use crate::insights::metrics::{Metrics, RangeTotals};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::zones::{Day, Zone};
use crate::kernel::store::{Change, StoreError, readable_or_counted};

use super::due::week_before;

/// The maximum number of children in one e-mail. Mail programs cut long e-mails.
const MOST_CHILDREN: usize = 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Week {
    pub first: Day,
    pub last: Day,
    pub zone: Zone,
    pub children: Vec<ChildWeek>,
    /// The number of children that are left out.
    pub more_children: usize,
    pub unreadable_children: u64,
}

impl Week {
    /// Whether nothing happened to any child.
    pub fn is_quiet(&self) -> bool {
        self.more_children == 0
            && self.unreadable_children == 0
            && self.children.iter().all(ChildWeek::is_quiet)
    }

    /// Whether the guardian has no child.
    pub fn is_empty(&self) -> bool {
        self.children.is_empty() && self.unreadable_children == 0
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildWeek {
    pub name: String,
    pub figures: RangeTotals,
    /// Seconds of talk in the week before; `None` if the child was added since.
    pub seconds_before: Option<u64>,
    pub happened: Happened,
}

impl ChildWeek {
    pub fn is_without_talk(&self) -> bool {
        self.figures.sessions == 0 && self.figures.seconds == 0
    }

    /// The number of records that can't be read.
    pub fn unreadable(&self) -> u64 {
        self.figures.unreadable + self.happened.unreadable
    }

    /// Whether nothing happened that a parent might want to know.
    pub fn is_quiet(&self) -> bool {
        self.is_without_talk()
            && self.happened.notifiable == 0
            && self.happened.assistants.is_empty()
            && self.unreadable() == 0
    }
}

/// Where the facts come from.
#[derive(Clone)]
pub struct Sources {
    pub children: Children,
    pub metrics: Metrics,
    pub alerts: AlertReader,
}

impl Sources {
    /// The week before `day`, with what this guardian may see as of `change`.
    pub fn week(
        &self,
        change: &Change,
        guardian: &GuardianId,
        zone: &Zone,
        day: Day,
        now: Timestamp,
    ) -> Result<Week, StoreError> {
        let (first, last) = week_before(day);
        let caller = Caller::Guardian(guardian.clone());
        let own = self.children.linked_to(change, &caller)?;
        let mut week = Week {
            first,
            last,
            zone: zone.clone(),
            children: Vec::new(),
            more_children: own.len().saturating_sub(MOST_CHILDREN),
            unreadable_children: 0,
        };
        for child in own.into_iter().take(MOST_CHILDREN) {
            let of_child = self.of_child(change, guardian, child, &week, now);
            match readable_or_counted(of_child, &mut week.unreadable_children) {
                Ok(of_child) => week.children.extend(of_child),
                Err(ChildrenError::Store(error)) => return Err(error),
                // It is being removed.
                Err(_) => {}
            }
        }
        Ok(week)
    }

    fn of_child(
        &self,
        change: &Change,
        guardian: &GuardianId,
        child: ChildId,
        week: &Week,
        now: Timestamp,
    ) -> Result<ChildWeek, ChildrenError> {
        let caller = Caller::Guardian(guardian.clone());
        let access = self.children.access_in(change, &caller, child)?;
        let zone = &week.zone;
        let figures = |first, last| self.metrics.figures(change, &access, zone, first..=last);
        let (first_before, last_before) = week_before(week.first);
        let before = figures(first_before, last_before)?;
        let start = zone.start_of(week.first);
        let during = start..zone.start_of(week.last.next());
        // Conversations from before may have been imported with the child.
        let added_at = self.children.added_at(change, child)?;
        let was_here = added_at.is_none_or(|added| added < start) || before.sessions > 0;
        let alerts = &self.alerts;
        Ok(ChildWeek {
            name: self.children.get(change, child)?.name,
            figures: figures(week.first, week.last)?,
            seconds_before: was_here.then_some(before.seconds),
            happened: alerts.happened(change, &access, guardian, &during, now)?,
        })
    }
}
