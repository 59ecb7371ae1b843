//! The data that is measured on: five families with a million messages, and one child with 100,000 sessions.
//!
//! It is written through the features' own façades, in changes of some thousand records, so that it is what years of
//! deliveries would have left. Nothing in it is chance: two runs make the same.

use std::error::Error;
use std::time::Duration;

use porchlight::activities::{Completion, Proposal, Score, UpcomingActivity};
use porchlight::app::App;
use porchlight::blocked_topics::BlockedTopic;
use porchlight::children::ChildAccess;
use porchlight::identity::Caller;
use porchlight::kernel::clock::Timestamp;
use porchlight::kernel::ids::ChildId;
use porchlight::kernel::store::Change;
use porchlight::transcripts::{Message, MessageDelivery, SessionDetails};

/// How many families there are.
const FAMILIES: u64 = 5;

/// How many messages a session has: as many as the page that is measured.
pub const MESSAGES_OF_A_SESSION: u64 = 200;

/// How many sessions the child has that is read of: as many as the page that is measured.
pub const SESSIONS_OF_A_PAGE: u64 = 20;

/// The child that is read of, the first one that is added.
pub const READ_CHILD: u64 = 1;

/// The child that has many sessions without messages, the second one.
pub const CHILD_OF_MANY_SESSIONS: u64 = 2;

/// The child of the same family with most of its messages.
pub const CHILD_OF_MANY_MESSAGES: u64 = 3;

/// How many sessions without messages one change brings in.
const SESSIONS_AT_ONCE: u64 = 500;

/// How many sessions with messages one change brings in.
const TRANSCRIPTS_AT_ONCE: u64 = 10;

const TOPICS: [&str; 8] = [
    "Why the moon follows us",
    "The division bakery",
    "How an octopus disappears",
    "Kettle the dragon",
    "What bees say to each other",
    "Fractions with pizza",
    "Words from other languages",
    "Volcanoes under the sea",
];

const SENTENCES: [&str; 6] = [
    "But why does it look like it is coming with us when we are in the car?",
    "Because it is so far away that driving down the street hardly changes where you see it. What else looks like that?",
    "The mountains do! They are slow, too, and the trees are fast.",
    "Exactly. What is near rushes by and what is far stays. Shall we try it with your two thumbs, one near and one far?",
    "Yes! I close one eye and my thumb jumps.",
    "That jump is called parallax, and it is how people first measured the way to the stars.",
];

/// How much there is to be.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Messages, of all families together.
    pub messages: u64,
    /// Sessions without messages, of one child.
    pub sessions: u64,
}

impl Size {
    /// How many steps the progress counts.
    pub fn steps(self) -> u64 {
        self.messages + self.sessions
    }
}

/// What went wrong.
pub type Failed = Box<dyn Error + Send + Sync>;

/// The address of a family's guardian; families count from 1.
pub fn guardian_of(family: u64) -> String {
    format!("parent-{family}@bench.example")
}

/// Brings everything in. `progress` hears how many messages and sessions are there.
///
/// # Errors
///
/// Whatever a feature refuses.
pub async fn generate(app: &App, size: Size, progress: impl Fn(u64)) -> Result<(), Failed> {
    let mut done = 0;
    let mut tell = |more| {
        done += more;
        progress(done);
    };
    let of_a_family = size.messages / MESSAGES_OF_A_SESSION / FAMILIES;
    for family in 1..=FAMILIES {
        let first = add_child(app, family, "Mia").await?;
        if family == 1 {
            let many = add_child(app, family, "Noah").await?;
            add_sessions(app, &many, size.sessions, 0, &mut tell).await?;
        }
        let second = add_child(app, family, "Lea").await?;
        let sessions = SESSIONS_OF_A_PAGE.min(of_a_family);
        add_sessions(app, &first, sessions, MESSAGES_OF_A_SESSION, &mut tell).await?;
        let sessions = of_a_family - sessions;
        add_sessions(app, &second, sessions, MESSAGES_OF_A_SESSION, &mut tell).await?;
    }
    Ok(())
}

async fn add_child(app: &App, family: u64, name: &str) -> Result<ChildAccess, Failed> {
    let (doing, name) = (app.clone(), name.to_owned());
    let added = app.store.commit(move |change| {
        let email = guardian_of(family).parse()?;
        let guardian = match doing.identity.get_guardian(change, &email) {
            Ok(known) => known,
            Err(_) => doing.identity.add_guardian(change, &email, None)?,
        };
        let child = doing.children.add(change, name)?.child_id;
        let caller = Caller::Guardian(guardian.id);
        doing.children.link(change, child, &caller)?;
        Ok::<_, Failed>(child)
    });
    let child: ChildId = added.await??;
    let access = app.children.for_administrator(child)?;
    let (doing, proof) = (app.clone(), access.clone());
    let wished = app.store.commit(move |change| {
        let topics = (1..=10).map(|number| format!("The surprise number {number}"));
        let topics = BlockedTopic::list(topics)?;
        doing.blocked_topics.keep(change, &proof, &topics)?;
        let proposal = Proposal::new((1..=20).map(upcoming).collect::<Result<_, _>>()?)?;
        Ok::<_, Failed>(
            doing
                .activities
                .replace_upcoming(change, &proof, proposal)?,
        )
    });
    wished.await??;
    Ok(access)
}

fn upcoming(number: usize) -> Result<UpcomingActivity, Failed> {
    Ok(UpcomingActivity {
        activity_id: serde_json::from_value(format!("activity-{number}").into())?,
        topic: TOPICS[number % TOPICS.len()].to_owned(),
        summary: Some(SENTENCES[number % SENTENCES.len()].to_owned()),
    })
}

/// Adds sessions, each with so many messages, an hour apart.
async fn add_sessions(
    app: &App,
    access: &ChildAccess,
    sessions: u64,
    messages: u64,
    tell: &mut impl FnMut(u64),
) -> Result<(), Failed> {
    let at_once = match messages {
        0 => SESSIONS_AT_ONCE,
        _ => TRANSCRIPTS_AT_ONCE,
    };
    let mut first = 0;
    while first < sessions {
        let some = first..(first + at_once).min(sessions);
        let (doing, proof, numbers) = (app.clone(), access.clone(), some.clone());
        let added = app.store.commit(move |change| {
            numbers
                .into_iter()
                .try_for_each(|number| add_session(&doing, change, &proof, number, messages))
        });
        added.await??;
        tell((some.end - some.start) * messages.max(1));
        first = some.end;
    }
    Ok(())
}

fn add_session(
    app: &App,
    change: &mut Change,
    access: &ChildAccess,
    number: u64,
    messages: u64,
) -> Result<(), Failed> {
    // Some years back, so that what the benchmark delivers is the newest.
    let start =
        Timestamp::from_micros(1_400_000_000_000_000).after(Duration::from_secs(number * 60 * 60));
    let topic = TOPICS[number as usize % TOPICS.len()];
    let details = SessionDetails {
        topic: Some(topic.to_owned()),
        start_time: Some(start),
    };
    let door = &app.assistant;
    let session = door.begin_session(change, access, details)?.session_id;
    let deliveries = (0..messages).map(|position| delivery(position, start));
    app.transcripts
        .deliver(change, access, session, deliveries.collect())?;
    let completion = Completion {
        duration: 900.into(),
        score: Some(Score::Words("curious questions".into())),
        mood: Some("curious".into()),
    };
    Ok(door.complete(change, access, session, None, None, completion)?)
}

fn delivery(position: u64, start: Timestamp) -> MessageDelivery {
    let source = match position % 2 {
        0 => "child",
        _ => "assistant",
    };
    let text = SENTENCES[position as usize % SENTENCES.len()];
    let message = Message {
        message_id: format!("{}", position + 1),
        source: Some(source.to_owned()),
        text_content: Some(text.to_owned()),
        timestamp: start.after(Duration::from_secs(8 * position)),
        content_type: None,
        event_type: None,
        start_sample: None,
        interrupted: None,
    };
    MessageDelivery {
        message,
        revision: 0,
    }
}
