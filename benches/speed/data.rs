//! The data set: by default five families with 1,000,000 messages in all, and one child with 100,000 sessions.
//!
//! It is written through the features' services, some thousand records per commit, so the store looks as it does after
//! years of deliveries. The generator is deterministic: two runs write the same records.

use std::error::Error;
use std::time::Duration;

use porchlight::app::App;
use porchlight::assistants::deliveries::SessionCompletion;
use porchlight::children::{ChildAccess, ChildId};
use porchlight::conversations::transcripts::{Message, MessageDelivery, SessionDetails};
use porchlight::identity::Caller;
use porchlight::insights::activities::{Activities, Score, UpcomingActivity};
use porchlight::kernel::host::clock::Timestamp;
use porchlight::kernel::store::Change;
use porchlight::rules::blocked_topics::BlockedTopic;

const FAMILIES: u64 = 5;

/// Messages per session: one full page, as it is measured.
pub const MESSAGES_PER_SESSION: u64 = 200;

/// Sessions of [`READ_CHILD`]: one full page, as it is measured.
pub const SESSIONS_PER_PAGE: u64 = 20;

/// The minimum number of messages at which [`CHILD_WITH_MANY_MESSAGES`] gets any.
pub const MIN_MESSAGES: u64 = FAMILIES * MESSAGES_PER_SESSION * (SESSIONS_PER_PAGE + 1);

/// The child whose endpoints are read; it is added first.
pub const READ_CHILD: u64 = 1;

/// The child with many sessions without messages; it is added second.
pub const CHILD_WITH_MANY_SESSIONS: u64 = 2;

/// The child of the same family that has most of its messages; it is added third.
pub const CHILD_WITH_MANY_MESSAGES: u64 = 3;

/// Sessions without messages written by one commit.
const SESSIONS_PER_COMMIT: u64 = 500;

/// Sessions with messages written by one commit.
const TRANSCRIPTS_PER_COMMIT: u64 = 10;

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

/// How much data to generate.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Messages of all families together.
    pub messages: u64,
    /// Sessions without messages of one child.
    pub sessions: u64,
}

impl Size {
    /// Returns the number of messages and sessions that [`generate`] reports at the end.
    pub fn total(self) -> u64 {
        self.messages + self.sessions
    }
}

pub type BoxError = Box<dyn Error + Send + Sync>;

/// Returns the e-mail address of a family's guardian. Families are numbered from 1.
pub fn guardian_email(family: u64) -> String {
    format!("parent-{family}@bench.example")
}

/// Writes the data set. Calls `progress` after each commit with the number of messages and sessions written so far.
pub async fn generate(app: &App, size: Size, progress: impl Fn(u64)) -> Result<(), BoxError> {
    let mut done = 0;
    let mut advance = |more| {
        done += more;
        progress(done);
    };
    let per_family = size.messages / MESSAGES_PER_SESSION / FAMILIES;
    for family in 1..=FAMILIES {
        let first = add_child(app, family, "Mia").await?;
        if family == 1 {
            let second = add_child(app, family, "Noah").await?;
            add_sessions(app, &second, size.sessions, 0, &mut advance).await?;
        }
        let last = add_child(app, family, "Lea").await?;
        let sessions = SESSIONS_PER_PAGE.min(per_family);
        add_sessions(app, &first, sessions, MESSAGES_PER_SESSION, &mut advance).await?;
        let sessions = per_family - sessions;
        add_sessions(app, &last, sessions, MESSAGES_PER_SESSION, &mut advance).await?;
    }
    Ok(())
}

async fn add_child(app: &App, family: u64, name: &str) -> Result<ChildAccess, BoxError> {
    let (features, name) = (app.clone(), name.to_owned());
    let added = app.store.commit(move |change| {
        let email = guardian_email(family).parse()?;
        let guardian = match features.identity.guardians.get(change, &email) {
            Ok(known) => known,
            Err(_) => features.identity.guardians.add(change, &email, None)?,
        };
        let child = features.children.add(change, name)?.child_id;
        let caller = Caller::Guardian(guardian.id);
        features.children.link(change, child, &caller)?;
        Ok::<_, BoxError>(child)
    });
    let child: ChildId = added.await?;
    let access = app.children.for_administrator(child)?;
    let (features, proof) = (app.clone(), access.clone());
    let saved = app.store.commit(move |change| {
        let topics = (1..=10).map(|number| format!("The surprise number {number}"));
        let topics = BlockedTopic::list(topics)?;
        let own = &features.blocked_topics;
        own.replace(change, &proof, &topics, |_| true)?;
        let activities = (1..=20).map(upcoming).collect::<Result<Vec<_>, _>>()?;
        Ok::<_, BoxError>(Activities::import_upcoming(change, &proof, &activities)?)
    });
    saved.await?;
    Ok(access)
}

fn upcoming(number: usize) -> Result<UpcomingActivity, BoxError> {
    Ok(UpcomingActivity {
        activity_id: serde_json::from_value(format!("activity-{number}").into())?,
        topic: TOPICS[number % TOPICS.len()].to_owned(),
        summary: Some(SENTENCES[number % SENTENCES.len()].to_owned()),
    })
}

/// Adds sessions that start an hour apart, each with `messages` messages.
async fn add_sessions(
    app: &App,
    access: &ChildAccess,
    sessions: u64,
    messages: u64,
    advance: &mut impl FnMut(u64),
) -> Result<(), BoxError> {
    let per_commit = match messages {
        0 => SESSIONS_PER_COMMIT,
        _ => TRANSCRIPTS_PER_COMMIT,
    };
    let mut first = 0;
    while first < sessions {
        let batch = first..(first + per_commit).min(sessions);
        let (features, proof, numbers) = (app.clone(), access.clone(), batch.clone());
        let added = app.store.commit(move |change| {
            numbers
                .into_iter()
                .try_for_each(|number| add_session(&features, change, &proof, number, messages))
        });
        added.await?;
        advance((batch.end - batch.start) * messages.max(1));
        first = batch.end;
    }
    Ok(())
}

fn add_session(
    app: &App,
    change: &mut Change,
    access: &ChildAccess,
    number: u64,
    messages: u64,
) -> Result<(), BoxError> {
    // Some years ago, so that the sessions delivered during the benchmark are the newest.
    let start =
        Timestamp::from_micros(1_400_000_000_000_000).after(Duration::from_secs(number * 60 * 60));
    let topic = TOPICS[number as usize % TOPICS.len()];
    let details = SessionDetails {
        topic: Some(topic.to_owned()),
        start_time: Some(start),
        device: None,
    };
    let session = app
        .assistant
        .begin_session(change, access, details, None)?
        .session_id;
    let deliveries = (0..messages).map(|position| delivery(position, start));
    app.transcripts
        .deliver(change, access, session, deliveries.collect())?;
    let completion = SessionCompletion {
        duration: Some(900.into()),
        score: Some(Score::Words("curious questions".into())),
        mood: Some("curious".into()),
        ..SessionCompletion::default()
    };
    Ok(app
        .assistant
        .complete(change, access, session, completion)?)
}

fn delivery(position: u64, start: Timestamp) -> MessageDelivery {
    let source = match position % 2 {
        0 => "child",
        _ => "assistant",
    };
    let text = SENTENCES[position as usize % SENTENCES.len()];
    let at = start.after(Duration::from_secs(8 * position));
    let message = Message {
        source: Some(source.to_owned()),
        text_content: Some(text.to_owned()),
        ..Message::new((position + 1).to_string(), at)
    };
    MessageDelivery::of(message)
}
