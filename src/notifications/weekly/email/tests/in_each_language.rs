use super::*;
use crate::kernel::outgoing::mail::check_in_each_language;

#[test]
fn a_quiet_week_is_in_each_language() {
    let week = week(vec![child("Mia"), child("Noah"), child("Theo")]);

    check_in_each_language("weekly-quiet", |language| {
        draft(
            language,
            &week,
            true,
            "https://porchlight.example/x#token=1",
        )
    });
}

#[test]
fn each_sentence_of_a_week_is_in_each_language() {
    let since = at("2026-11-24T23:30:00Z");
    let all = [
        AssistantNews::Silent { since },
        AssistantNews::AllSilent { since },
        AssistantNews::Refused { conversations: 3 },
        AssistantNews::Unconfirmed { minutes: 74 },
        AssistantNews::NotKept { messages: 2 },
    ];
    let mut assistants = all.map(|it| news("Küche", it)).to_vec();
    let unnamed = [
        AssistantNews::Refused { conversations: 1 },
        AssistantNews::NotKept { messages: 1 },
    ];
    assistants.extend(unnamed.map(|news| AboutAssistant { name: None, news }));
    assistants.extend((0..3).map(|_| news("Küche", AssistantNews::NotKept { messages: 1 })));
    let topics = ["Tiere", "Meer", "Mond", "vier", "fünf", "sechs"];
    let mia = ChildWeek {
        figures: RangeTotals {
            topics: topics.map(str::to_owned).into(),
            unreadable: 1,
            ..talking("Mia", 1234, 0).figures
        },
        happened: Happened {
            notifiable: MOST_COUNTED,
            assistants,
            ..Happened::default()
        },
        ..talking("Mia", 1234, 61)
    };
    let week = Week {
        more_children: 2,
        unreadable_children: 1,
        ..week(vec![mia, child("Noah"), talking("\u{202e}", 1, 0)])
    };

    check_in_each_language("weekly", |language| {
        draft(
            language,
            &week,
            true,
            "https://porchlight.example/x#token=1",
        )
    });
}
