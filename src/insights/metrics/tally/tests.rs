use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn talk(start: &str, end: &str) -> TalkInterval {
    TalkInterval {
        start: at(start),
        end: at(end),
    }
}

fn session(number: u64, began: &str, minutes: u64, topic: &str, mood: &str) -> Counted {
    Counted {
        session: SessionId::new(number),
        began: at(began),
        length: Duration::from_secs(minutes * 60),
        topic: Some(topic.to_owned()),
        mood: Some(mood.to_owned()),
        spoken: Spoken {
            messages: 10,
            interruptions: number,
        },
    }
}

fn tally(
    zone: &str,
    from: &str,
    to: &str,
    sessions: Vec<Counted>,
    talk: Vec<TalkInterval>,
) -> serde_json::Value {
    let days = from.parse().unwrap()..=to.parse().unwrap();
    let tally = Tally::of(&zone.parse().unwrap(), days, sessions, talk);
    serde_json::to_value(tally).unwrap()
}

/// The seconds of each day.
fn by_day(tally: &serde_json::Value) -> Vec<u64> {
    let days = tally["days"].as_array().unwrap();
    days.iter()
        .map(|day| day["seconds"].as_u64().unwrap())
        .collect()
}

/// The hours of the week with talk: weekday, hour, seconds.
fn by_hour(tally: &serde_json::Value) -> Vec<(usize, usize, u64)> {
    let mut hours = Vec::new();
    for (day, of_day) in tally["week"].as_array().unwrap().iter().enumerate() {
        for (hour, seconds) in of_day.as_array().unwrap().iter().enumerate() {
            if seconds != 0 {
                hours.push((day, hour, seconds.as_u64().unwrap()));
            }
        }
    }
    hours
}

#[test]
fn talk_is_cut_at_the_childs_midnight_and_hours() {
    // Kathmandu is 5:45 ahead: its midnight is 18:15 in UTC. November 23 is a Monday.
    let tally = tally(
        "Asia/Kathmandu",
        "2026-11-22",
        "2026-11-23",
        vec![],
        vec![talk("2026-11-22T18:05:00Z", "2026-11-22T19:20:00Z")],
    );

    assert_eq!(by_day(&tally), [600, 3900]);
    assert_eq!(by_hour(&tally), [(0, 0, 3600), (0, 1, 300), (6, 23, 600)]);
}

#[test]
fn overlapping_sessions_count_once_and_other_days_do_not_count() {
    let tally = tally(
        "UTC",
        "2026-11-23",
        "2026-11-23",
        vec![],
        vec![
            talk("2026-11-23T10:00:00Z", "2026-11-23T10:20:00Z"),
            talk("2026-11-23T10:10:00Z", "2026-11-23T10:30:00Z"),
            talk("2026-11-23T10:05:00Z", "2026-11-23T10:06:00Z"),
            talk("2026-11-22T23:59:00Z", "2026-11-23T00:01:00Z"),
            talk("2026-11-23T23:59:30Z", "2026-11-24T12:00:00Z"),
        ],
    );

    assert_eq!(by_day(&tally), [1800 + 60 + 30]);
}

#[test]
fn the_days_on_which_the_clock_changes_have_23_and_25_hours() {
    let whole = |from: &str, to: &str| {
        let talk = vec![talk("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z")];
        by_day(&tally("Europe/Berlin", from, to, vec![], talk))
    };

    assert_eq!(whole("2026-03-28", "2026-03-30"), [86_400, 82_800, 86_400]);
    assert_eq!(whole("2026-10-24", "2026-10-26"), [86_400, 90_000, 86_400]);
}

#[test]
fn a_day_without_sessions_is_included() {
    let tally = tally("UTC", "2026-02-27", "2026-03-01", vec![], vec![]);

    let dates = tally["days"].as_array().unwrap();
    let dates = dates.iter().map(|day| day["day"].as_str().unwrap());
    let expected = ["2026-02-27", "2026-02-28", "2026-03-01"];
    assert_eq!(dates.collect::<Vec<_>>(), expected);
}

#[test]
fn topics_and_moods_are_sorted_by_weight_ignoring_case() {
    let tally = tally(
        "UTC",
        "2026-11-22",
        "2026-11-23",
        vec![
            session(3, "2026-11-23T09:00:00Z", 3, "OCTOPUSES", "Calm"),
            session(1, "2026-11-22T08:00:00Z", 4, "Octopuses ", "calm"),
            session(2, "2026-11-22T09:00:00Z", 6, "Volcanoes", "curious"),
        ],
        vec![],
    );

    assert_eq!(
        tally["topics"],
        serde_json::json!([
            {"topic": "Octopuses", "sessions": 2, "seconds": 420, "newest": [
                {"session_id": 3, "date": "2026-11-23T09:00:00Z"},
                {"session_id": 1, "date": "2026-11-22T08:00:00Z"},
            ]},
            {"topic": "Volcanoes", "sessions": 1, "seconds": 360, "newest": [
                {"session_id": 2, "date": "2026-11-22T09:00:00Z"},
            ]},
        ])
    );
    assert_eq!(
        tally["moods"],
        serde_json::json!([{"mood": "calm", "sessions": 2}, {"mood": "curious", "sessions": 1}])
    );
    let day = &tally["days"][1];
    assert_eq!(
        day["topics"],
        serde_json::json!([{"topic": "OCTOPUSES", "sessions": 1, "seconds": 180}])
    );
    assert_eq!(day["messages_of_assistant"], 10);
    assert_eq!(day["interruptions"], 3);
}

#[test]
fn a_length_belongs_to_the_group_that_it_begins() {
    let lengths = [0, 1, 2, 4, 5, 39, 40, 1440]
        .map(|minutes| session(minutes, "2026-11-23T09:00:00Z", minutes, "x", "y"));

    let tally = tally("UTC", "2026-11-23", "2026-11-23", lengths.into(), vec![]);

    let groups = tally["lengths"].as_array().unwrap().iter();
    let counts = groups.map(|group| group["sessions"].as_u64().unwrap());
    assert_eq!(counts.collect::<Vec<_>>(), [2, 2, 1, 0, 1, 2]);
}

#[test]
fn a_session_without_times_has_the_duration_that_the_assistant_reported() {
    let measures = |talk| SessionMeasures {
        session_id: SessionId::new(1),
        began: at("2026-11-23T09:00:00Z"),
        talk,
        topic: Some("  ".to_owned()),
        spoken: Spoken::default(),
    };
    let outcome = || {
        Some(SessionOutcome {
            seconds: 90.0,
            mood: None,
        })
    };

    let without = Counted::new(measures(None), outcome());
    let talk = talk("2026-11-23T09:00:00Z", "2026-11-23T09:00:20Z");
    let with = Counted::new(measures(Some(talk)), outcome());

    assert_eq!(without.length, Duration::from_secs(90));
    assert_eq!(with.length, Duration::from_secs(20));
    assert_eq!(without.topic, None);
}
