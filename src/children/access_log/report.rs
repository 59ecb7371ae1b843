//! What a guardian sees of who looked: their own days, and of others the weeks.

use std::collections::{BTreeMap, BTreeSet};

use super::store::{Marks, Row, Who};
use crate::identity::GuardianId;
use crate::kernel::host::zones::Day;

/// A day on which the guardian looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnDay {
    pub day: Day,
    pub marks: Marks,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reader {
    /// With their name, if they have one.
    Guardian(Option<String>),
    /// All former guardians together.
    FormerGuardian,
    CommandLine,
}

/// What a guardian sees of somebody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    pub reader: Reader,
    /// The number of days on which they read, by the Monday of the week; only weeks with any.
    pub weeks: BTreeMap<Day, u64>,
    /// The days on which they took a copy.
    pub copies: BTreeSet<Day>,
    /// The days on which the administrator made a sign-in link.
    pub links: BTreeSet<Day>,
}

impl Other {
    /// Days of reading count before `until`.
    fn of<'a>(reader: Reader, rows: impl Iterator<Item = &'a Row>, until: Day) -> Self {
        let mut read = BTreeSet::new();
        let mut other = Self {
            reader,
            weeks: BTreeMap::new(),
            copies: BTreeSet::new(),
            links: BTreeSet::new(),
        };
        for (place, marks) in rows {
            if (marks.read || marks.searched) && place.day < until {
                read.insert(place.day);
            }
            if marks.copied {
                other.copies.insert(place.day);
            }
            if marks.made_link {
                other.links.insert(place.day);
            }
        }
        for day in read {
            *other.weeks.entry(monday_of(day)).or_default() += 1;
        }
        other
    }

    fn is_empty(&self) -> bool {
        self.weeks.is_empty() && self.copies.is_empty() && self.links.is_empty()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub today: Day,
    /// Newest first.
    pub own: Vec<OwnDay>,
    /// The child's other guardians, then former ones, then the administrator.
    pub others: Vec<Other>,
}

pub(super) fn monday_of(day: Day) -> Day {
    day.before(u16::from(day.weekday()))
}

/// `guardians` are the child's other guardians.
pub(super) fn report(
    rows: &[Row],
    reader: &GuardianId,
    guardians: Vec<(GuardianId, Option<String>)>,
    today: Day,
) -> Report {
    Report {
        today,
        own: own_days(rows, reader),
        others: others(rows, reader, guardians, today),
    }
}

/// Newest first.
pub(super) fn own_days(rows: &[Row], reader: &GuardianId) -> Vec<OwnDay> {
    let own = Who::Guardian(reader.clone());
    let own = rows.iter().filter(|(place, _)| place.who == own);
    let mut own = own
        .map(|(place, marks)| OwnDay {
            day: place.day,
            marks: *marks,
        })
        .collect::<Vec<_>>();
    own.sort_by_key(|own| std::cmp::Reverse(own.day));
    own
}

pub(super) fn others(
    rows: &[Row],
    reader: &GuardianId,
    guardians: Vec<(GuardianId, Option<String>)>,
    until: Day,
) -> Vec<Other> {
    let of = |wanted: &dyn Fn(&Who) -> bool, reader: Reader| {
        Other::of(
            reader,
            rows.iter().filter(|(place, _)| wanted(&place.who)),
            until,
        )
    };
    let is_former = |who: &Who| match who {
        Who::Guardian(id) => id != reader && !guardians.iter().any(|(guardian, _)| guardian == id),
        Who::CommandLine => false,
    };
    let former = of(&is_former, Reader::FormerGuardian);
    let command_line = of(&|who| *who == Who::CommandLine, Reader::CommandLine);
    let present = guardians.iter().map(|(id, name)| {
        let own = Who::Guardian(id.clone());
        of(&|who| *who == own, Reader::Guardian(name.clone()))
    });
    let mut others = present.collect::<Vec<_>>();
    others.extend(
        [former, command_line]
            .into_iter()
            .filter(|other| !other.is_empty()),
    );
    others
}

#[cfg(test)]
mod tests {
    use super::super::store::AccessDay;
    use super::*;
    use crate::children::ChildId;

    fn day(text: &str) -> Day {
        text.parse().unwrap()
    }

    fn row(who: &str, at: &str, marks: Marks) -> Row {
        let who = match who {
            "" => Who::CommandLine,
            id => Who::Guardian(GuardianId::from_text(id)),
        };
        let child = ChildId::new(1);
        let day = day(at);
        (AccessDay { child, who, day }, marks)
    }

    fn weeks(other: &Other) -> Vec<(String, u64)> {
        let weeks = other.weeks.iter();
        weeks
            .map(|(week, days)| (week.to_string(), *days))
            .collect()
    }

    #[test]
    fn others_are_counted_by_week_once_the_day_is_over_and_a_copy_has_its_day() {
        let rows = [
            row("gdn_ben", "2026-11-15", Marks::READ),
            row("gdn_ben", "2026-11-16", Marks::READ),
            row("gdn_ben", "2026-11-18", Marks::SEARCHED),
            row("gdn_ben", "2026-11-22", Marks::COPIED),
            row("gdn_ben", "2026-11-23", Marks::READ.with(Marks::SEARCHED)),
            row("gdn_ben", "2026-11-25", Marks::READ.with(Marks::COPIED)),
            row("gdn_ada", "2026-11-24", Marks::READ),
            row("gdn_ada", "2026-11-25", Marks::SEARCHED),
        ];
        let (ada, ben) = (
            GuardianId::from_text("gdn_ada"),
            GuardianId::from_text("gdn_ben"),
        );

        let seen = report(
            &rows,
            &ada,
            vec![(ben, Some("Ben".into()))],
            day("2026-11-25"),
        );

        let own = seen.own.iter().map(|own| own.day.to_string());
        assert_eq!(own.collect::<Vec<_>>(), ["2026-11-25", "2026-11-24"]);
        let [ben] = seen.others.as_slice() else {
            panic!("{:?}", seen.others);
        };
        assert_eq!(ben.reader, Reader::Guardian(Some("Ben".into())));
        let expected = [("2026-11-09", 1), ("2026-11-16", 2), ("2026-11-23", 1)];
        assert_eq!(weeks(ben), expected.map(|(week, days)| (week.into(), days)));
        let copies = ben.copies.iter().map(Day::to_string);
        assert_eq!(copies.collect::<Vec<_>>(), ["2026-11-22", "2026-11-25"]);
    }

    #[test]
    fn former_guardians_are_one_without_a_name_and_the_administrator_is_apart() {
        let rows = [
            row("gdn_cleo", "2026-11-16", Marks::READ),
            row("gdn_dan", "2026-11-16", Marks::READ),
            row("gdn_dan", "2026-11-17", Marks::READ),
            row("", "2026-11-17", Marks::READ),
            row("", "2026-11-18", Marks::MADE_LINK),
        ];
        let ada = GuardianId::from_text("gdn_ada");

        let seen = report(&rows, &ada, Vec::new(), day("2026-11-25"));

        let readers = seen.others.iter().map(|other| other.reader.clone());
        assert_eq!(
            readers.collect::<Vec<_>>(),
            [Reader::FormerGuardian, Reader::CommandLine]
        );
        assert_eq!(weeks(&seen.others[0]), [("2026-11-16".to_owned(), 2)]);
        assert_eq!(weeks(&seen.others[1]), [("2026-11-16".to_owned(), 1)]);
        assert_eq!(seen.others[1].links, BTreeSet::from([day("2026-11-18")]));
    }
}
