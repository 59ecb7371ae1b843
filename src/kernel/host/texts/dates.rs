//! Days and times in words.

use super::{Value, text};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::kernel::host::zones::{Day, Zone};

impl Day {
    /// The day in words: `November 23, 2026`.
    pub fn in_words(self, language: Language) -> String {
        let (year, ..) = self.numbers();
        let mut args = self.args(language).to_vec();
        args.push(("year", year.into()));
        text(language, "date", &args)
    }

    /// The day with its weekday and without the year: `Monday, November 23`.
    pub fn with_weekday(self, language: Language) -> String {
        let mut args = self.args(language).to_vec();
        args.push(("weekday", self.weekday_in_words(language).into()));
        text(language, "date-with-weekday", &args)
    }

    /// The days from this one up to `last`, without the year: `November 23 to 29`, `November 29 to December 5`.
    pub fn span_in_words(self, last: Self, language: Language) -> String {
        let is_one_month = self.first_of_month() == last.first_of_month();
        let key = if is_one_month {
            "span-in-month"
        } else {
            "span-of-months"
        };
        let [month, day] = self.args(language);
        let [(_, last_month), (_, last_day)] = last.args(language);
        let last = [("last-month", last_month), ("last-day", last_day)];
        text(language, key, &[[month, day], last].concat())
    }

    fn args(self, language: Language) -> [(&'static str, Value<'static>); 2] {
        let (_, month, day) = self.numbers();
        let month = text(language, "month", &[("number", month.into())]);
        [("month", month.into()), ("day", day.into())]
    }

    fn weekday_in_words(self, language: Language) -> String {
        text(language, "weekday", &[("number", self.weekday().into())])
    }
}

impl Zone {
    /// The timestamp as e-mails have it: `Wednesday, November 25, 2026, 7:01 PM (Europe/Berlin)`.
    pub fn in_words(&self, moment: Timestamp, language: Language) -> String {
        let (day, hour, minute) = self.clock_at(moment);
        let zone = if self.is_utc() { "UTC" } else { self.name() };
        let args = [
            ("weekday", day.weekday_in_words(language).into()),
            ("date", day.in_words(language).into()),
            ("time", time(language, hour, minute).into()),
            ("zone", zone.into()),
        ];
        text(language, "moment", &args)
    }
}

fn time(language: Language, hour: u8, minute: u8) -> String {
    let half = if hour < 12 { "am" } else { "pm" };
    let args = [
        ("hour", format!("{hour:02}").into()),
        ("plain-hour", hour.into()),
        ("hour-of-half", ((hour + 11) % 12 + 1).into()),
        ("half", half.into()),
        ("minute", format!("{minute:02}").into()),
    ];
    text(language, "time", &args)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        text.parse().unwrap()
    }

    fn in_all(say: impl Fn(Language) -> String) -> [String; 4] {
        Language::ALL.map(say)
    }

    #[test]
    fn days_in_words() {
        let first = day("2026-11-01");

        assert_eq!(
            in_all(|language| first.in_words(language)),
            [
                "November 1, 2026",
                "1. November 2026",
                "1er novembre 2026",
                "1 de noviembre de 2026"
            ]
        );
        assert_eq!(
            in_all(|language| day("2026-11-23").with_weekday(language)),
            [
                "Monday, November 23",
                "Montag, 23. November",
                "lundi 23 novembre",
                "lunes, 23 de noviembre"
            ]
        );
    }

    #[test]
    fn spans_of_days_in_words() {
        let span = |first: &str, last: &str| {
            in_all(|language| day(first).span_in_words(day(last), language))
        };

        assert_eq!(
            span("2026-11-22", "2026-11-28"),
            [
                "November 22 to 28",
                "22. bis 28. November",
                "22 au 28 novembre",
                "22 al 28 de noviembre"
            ]
        );
        assert_eq!(
            span("2026-12-27", "2027-01-02"),
            [
                "December 27 to January 2",
                "27. Dezember bis 2. Januar",
                "27 décembre au 2 janvier",
                "27 de diciembre al 2 de enero"
            ]
        );
        let year = span("2026-01-01", "2027-01-31");
        assert_eq!(year[0], "January 1 to January 31");
    }

    #[test]
    fn moments_in_words() {
        let zone = "Europe/Berlin".parse::<Zone>().unwrap();
        let at = |text: &str| Timestamp::parse(text).unwrap();

        assert_eq!(
            in_all(|language| zone.in_words(at("2026-11-25T18:01:59Z"), language)),
            [
                "Wednesday, November 25, 2026, 7:01 PM (Europe/Berlin)",
                "Mittwoch, 25. November 2026 um 19:01 (Europe/Berlin)",
                "mercredi 25 novembre 2026 à 19:01 (Europe/Berlin)",
                "miércoles, 25 de noviembre de 2026, 19:01 (Europe/Berlin)"
            ]
        );
        let zone = "Etc/UTC".parse::<Zone>().unwrap();
        assert_eq!(
            in_all(|language| zone.in_words(at("2026-11-05T00:03:59.5Z"), language)),
            [
                "Thursday, November 5, 2026, 12:03 AM (UTC)",
                "Donnerstag, 5. November 2026 um 00:03 (UTC)",
                "jeudi 5 novembre 2026 à 00:03 (UTC)",
                "jueves, 5 de noviembre de 2026, 0:03 (UTC)"
            ]
        );
        let noon = zone.in_words(at("2026-11-05T12:30:00Z"), Language::En);
        assert_eq!(noon, "Thursday, November 5, 2026, 12:30 PM (UTC)");
    }
}
