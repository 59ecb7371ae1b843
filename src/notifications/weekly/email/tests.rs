use super::*;
use crate::alerts::Happened;
use crate::insights::metrics::RangeTotals;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::mail::{Email, escaped};

mod in_each_language;

const LINK: &str = "https://porchlight.example/";

/// Longer, right-to-left, and with characters that HTML and mail headers give a meaning.
const NAMES: [&str; 5] = [
    "Wolfeschlegelsteinhausenbergerdorffvoralternwaren",
    "Maximiliana-Theodora Konstantinopolitanskaya",
    "مريم",
    "<b>Mia & \"Tom\" {link} {lines}",
    "Mia\u{202e}\r\nBcc: eve@example.org",
];

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn child(name: &str) -> ChildWeek {
    ChildWeek {
        name: name.to_owned(),
        figures: RangeTotals::default(),
        seconds_before: Some(0),
        happened: Happened::default(),
    }
}

/// A child with conversations of this length in this and in the last week, in minutes.
fn talking(name: &str, minutes: u64, before: u64) -> ChildWeek {
    ChildWeek {
        figures: RangeTotals {
            seconds: minutes * 60,
            sessions: minutes.div_ceil(10),
            ..RangeTotals::default()
        },
        seconds_before: Some(before * 60),
        ..child(name)
    }
}

fn week(children: Vec<ChildWeek>) -> Week {
    Week {
        first: "2026-11-22".parse().unwrap(),
        last: "2026-11-28".parse().unwrap(),
        zone: "Europe/Berlin".parse().unwrap(),
        children,
        more_children: 0,
        unreadable_children: 0,
    }
}

fn news(name: &str, news: AssistantNews) -> AboutAssistant {
    AboutAssistant {
        name: Some(name.to_owned()),
        news,
    }
}

fn compose(week: &Week, with_words: bool) -> Email {
    let draft = draft(Language::En, week, with_words, LINK);
    draft.to(Some("Kim"), &"kim@example.org".parse().unwrap())
}

/// The text between greeting and link.
fn text_of(week: &Week) -> String {
    let text = compose(week, true).text;
    let text = text.strip_prefix("Hello Kim,\n\n").unwrap();
    let (text, _) = text.split_once("\nOpen Porchlight").unwrap();
    // Each row on one line.
    text.replace("\n    ", " ")
}

fn of_one(child: ChildWeek) -> String {
    let text = text_of(&week(vec![child]));
    let (_, lines) = text.split_once(".\n\n").unwrap();
    lines.to_owned()
}

#[test]
fn minutes_stand_beside_those_of_the_week_before() {
    let text = of_one(ChildWeek {
        happened: Happened {
            notifiable: 1,
            ..Happened::default()
        },
        ..talking("Mia", 85, 61)
    });

    assert_eq!(
        text,
        "Mia\n  1 hour 25 minutes of conversation\n  The week before: 1 hour 1 minute\n  9 conversations, 1 alert\n"
    );
}

#[test]
fn a_week_in_words() {
    let many = MOST_COUNTED;
    let notifiable = |notifiable| Happened {
        notifiable,
        ..Happened::default()
    };
    let figures = |seconds, sessions| RangeTotals {
        seconds,
        sessions,
        ..RangeTotals::default()
    };
    let cases = [
        // Nothing to compare with.
        (
            figures(600, 1),
            None,
            0,
            "10 minutes of conversation|1 conversation, no alerts",
        ),
        // None was measured.
        (
            figures(0, 3),
            Some(0),
            0,
            "Less than a minute of conversation|The week before: no time|3 conversations, no alerts",
        ),
        (
            figures(0, 0),
            Some(2400),
            1,
            "No conversations|The week before: 40 minutes|1 alert",
        ),
        (figures(0, 0), Some(0), 2, "No conversations|2 alerts"),
        // It began in the week before.
        (
            figures(20, 0),
            Some(29),
            0,
            "Less than a minute of conversation|The week before: less than a minute|No new conversations, no alerts",
        ),
        (
            figures(7200, 1234),
            Some(3600),
            many,
            "2 hours of conversation|The week before: 1 hour|1,234 conversations, 2,000 or more alerts",
        ),
    ];

    for (figures, seconds_before, alerts, expected) in cases {
        let talked = ChildWeek {
            figures,
            seconds_before,
            happened: notifiable(alerts),
            ..child("Mia")
        };
        let text = of_one(talked);
        let lines = text.trim_end().lines().skip(1).map(str::trim);
        assert_eq!(lines.collect::<Vec<_>>().join("|"), expected);
    }
}

#[test]
fn what_stands_with_the_assistants() {
    let since = at("2026-11-24T23:30:00Z");
    let cases = [
        (
            news("Kitchen", AssistantNews::Silent { since }),
            "Kitchen has not connected since Wednesday, November 25, so Mia's conversations there may be missing.",
        ),
        (
            AboutAssistant {
                name: None,
                news: AssistantNews::AllSilent { since },
            },
            "None of Mia's assistants has connected since Wednesday, November 25, so conversations may be missing.",
        ),
        (
            news("Kitchen", AssistantNews::Refused { conversations: 1 }),
            "Kitchen refused your current rules for Mia.",
        ),
        (
            news("Kitchen", AssistantNews::Refused { conversations: 3 }),
            "Kitchen refused your current rules for Mia in 3 conversations.",
        ),
        (
            news("Kitchen", AssistantNews::Unconfirmed { minutes: 14 }),
            "Kitchen talked with Mia for 14 minutes without confirming your current rules.",
        ),
        (
            news("Kitchen", AssistantNews::NotKept { messages: 2 }),
            "2 messages from Mia's conversations with Kitchen could not be saved.",
        ),
        (
            AboutAssistant {
                name: None,
                news: AssistantNews::NotKept { messages: 1 },
            },
            "1 message from Mia's conversations with an assistant could not be saved.",
        ),
        (
            news("\u{202e}", AssistantNews::Refused { conversations: 1 }),
            "An assistant refused your current rules for Mia.",
        ),
    ];

    for (about, expected) in cases {
        let mia = ChildWeek {
            happened: Happened {
                assistants: vec![about],
                ..Happened::default()
            },
            ..child("Mia")
        };
        let week = week(vec![mia]);
        assert!(!week.is_quiet(), "{expected}");
        assert!(
            text_of(&week).contains(&format!("  ! {expected}\n")),
            "{expected}"
        );
        assert!(
            compose(&week, false).html.contains(&escaped(expected)),
            "{expected}"
        );
    }
}

#[test]
fn many_notices_are_counted_and_what_cannot_be_read_is_told() {
    let text = of_one(ChildWeek {
        figures: RangeTotals {
            unreadable: 1,
            ..RangeTotals::default()
        },
        happened: Happened {
            assistants: (0..=MOST_NOTES)
                .map(|number| news(&number.to_string(), AssistantNews::NotKept { messages: 1 }))
                .collect(),
            ..Happened::default()
        },
        ..child("Mia")
    });

    let notes = text.lines().filter_map(|line| line.strip_prefix("  ! "));
    let notes = notes.collect::<Vec<_>>();
    assert_eq!(notes.len(), MOST_NOTES + 2);
    assert_eq!(
        notes[MOST_NOTES..],
        [
            "1 more notice about assistants in Porchlight.",
            "Some of what is kept about Mia can't be read, so these numbers may be too low."
        ]
    );
}

#[test]
fn if_nothing_happened_it_is_one_sentence() {
    let week = week(vec![child("Mia"), talking("Noah", 0, 40), child("Theo")]);

    assert_eq!(
        text_of(&week),
        "A quiet week: from November 22 to 28 there were no conversations and no alerts\nfor Mia, Noah and Theo.\n"
    );
    assert_eq!(compose(&week, true).subject, "Your week on Porchlight");
}

#[test]
fn children_that_are_left_out_are_counted() {
    let week = Week {
        more_children: 3,
        unreadable_children: 1,
        ..week(vec![child("Mia")])
    };

    let text = text_of(&week);

    assert!(text.contains("Mia\n  No conversations\n"), "{text}");
    let sentence = "3 more children are in Porchlight. The data of one child can't be read.";
    assert!(text.contains(sentence), "{text}");
    assert!(compose(&week, true).html.contains(&escaped(sentence)));
}

#[test]
fn topics_are_there_with_the_switch_alone() {
    let topics = [
        "Octopuses",
        "Why the sea is salty",
        " The\nmoon ",
        "\u{202e}",
        "four",
        "five",
        "six",
        "seven",
    ];
    let mia = ChildWeek {
        figures: RangeTotals {
            topics: topics.map(str::to_owned).into(),
            ..talking("Mia", 10, 0).figures
        },
        ..child("Mia")
    };
    let week = week(vec![mia]);

    let (with, without) = (compose(&week, true), compose(&week, false));

    let line =
        "  What it was about: Octopuses, Why the sea is salty, The moon, four, five and 2 more\n";
    assert!(text_of(&week).contains(line), "{}", with.text);
    assert!(with.html.contains("Octopuses, Why the sea is salty"));
    for part in [&without.text, &without.html, &without.subject] {
        assert!(!part.contains("about"), "{part}");
        for topic in topics {
            assert!(!part.contains(topic), "{topic}");
        }
    }
    assert_eq!(with.subject, without.subject);
}

#[test]
fn names_stay_text_on_one_line_and_in_their_direction() {
    let children = NAMES.map(|name| talking(name, 10, 20));

    let email = compose(&week(children.into()), true);

    let expected = [
        "Wolfeschlegelsteinhausenbergerdorffvora…",
        "Maximiliana-Theodora Konstantinopolitan…",
        "\u{2068}مريم\u{2069}",
        "<b>Mia & \"Tom\" {link} {lines}",
        "Mia Bcc: eve…",
    ];
    for name in expected {
        assert!(
            email.text.contains(&format!("\n{name}\n  10 minutes")),
            "{name}"
        );
        assert!(
            email.html.contains(&format!(">{}</td>", escaped(name))),
            "{name}"
        );
    }
    assert!(!email.html.contains("<b>Mia"));
    assert_eq!(email.subject, "Your week on Porchlight");
}

#[test]
fn it_has_one_link_no_picture_and_no_placeholder_left() {
    let mia = ChildWeek {
        figures: RangeTotals {
            topics: vec!["Octopuses".to_owned()],
            ..talking("Mia", 10, 0).figures
        },
        happened: Happened {
            notifiable: 1,
            assistants: vec![news("Kitchen", AssistantNews::NotKept { messages: 1 })],
            unreadable: 1,
        },
        ..talking("Mia", 10, 20)
    };
    for week in [week(vec![mia, child("Theo")]), week(vec![child("Theo")])] {
        let Email { text, html, .. } = compose(&week, true);

        assert_eq!(
            (text.matches("://").count(), text.matches(LINK).count()),
            (1, 1)
        );
        assert_eq!(
            (html.matches("://").count(), html.matches("href").count()),
            (1, 1)
        );
        for part in ["<img", "url(", "src=", "{"] {
            let body = html.split_once("<body").unwrap().1;
            assert!(!body.contains(part) && !text.contains(part), "{part}");
        }
    }
}

/// The widths of the bars, in percent.
fn bars(html: &str) -> Vec<u64> {
    let widths = html.split("style=\"width:").skip(1);
    widths
        .map(|rest| rest.split_once('%').unwrap().0.parse().unwrap())
        .collect()
}

#[test]
fn bars_have_one_scale_for_all_children_and_weeks() {
    let week = week(vec![
        talking("Mia", 30, 60),
        talking("Theo", 15, 0),
        ChildWeek {
            figures: RangeTotals {
                seconds: 1,
                sessions: 1,
                ..RangeTotals::default()
            },
            ..child("Noah")
        },
    ]);

    assert_eq!(bars(&compose(&week, false).html), [50, 100, 25, 2]);
}

#[test]
fn a_long_topic_is_shortened() {
    let long = "ä".repeat(LONGEST_TOPIC);

    assert_eq!(cut(&long), long);
    assert_eq!(
        cut(&format!("{long}x")),
        format!("{}…", "ä".repeat(LONGEST_TOPIC - 1))
    );
}
