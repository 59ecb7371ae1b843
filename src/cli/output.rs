//! Human-readable output: sentences and aligned tables.

mod problems;
mod reviewer;
mod rows;
mod tables;
mod upstreams;

use std::fmt::Display;
use std::io::{ErrorKind, Write};

use super::clock;
use crate::admin::{AdminError, Answer, Compacted, GuardianEntry, Restored};
use crate::app::LEFT_OUT;
use crate::identity::Suspended;
use crate::kernel::store::Tables;
use crate::kernel::words::{plain, plain_json, plain_lines};
use crate::subscriptions::{ChannelsTested, Tested};
pub use problems::{forwarding, not_arriving, not_kept, not_reviewed};
pub use reviewer::{faults, testing};
use rows::{assistant_row, child_row, child_sentence, guardian_row, upstream_row};
use tables::{counted, numbers, table};

/// Writes to the standard output. If the reader has closed the pipe (`| head`), the command exits silently.
pub fn print(text: impl Display) {
    match write(text) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            eprintln!("Nothing can be written to the standard output: {error}.");
            std::process::exit(1);
        }
        Ok(()) => {}
    }
}

/// [`print`] with a newline.
pub fn print_line(text: impl Display) {
    print(format_args!("{text}\n"));
}

fn write(text: impl Display) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    write!(output, "{text}").and_then(|()| output.flush())
}

/// Prints an answer for people, or as JSON. Fails if it contains a secret that could not be printed; the error says what to do.
pub fn print_answer(answer: &Answer, as_json: bool) -> Result<(), AdminError> {
    let (text, (before, after)) = if as_json {
        let json = format!("{}\n", plain_json(&answer.to_json()));
        (json, (String::new(), String::new()))
    } else {
        (for_people(answer), remarks(answer))
    };
    eprint!("{}", plain_lines(&before));
    match answer.if_unseen() {
        None => print(text),
        Some(then) => write(text).map_err(|error| unseen(&format!("({error}). {then}")))?,
    }
    eprint!("{}", plain_lines(&after));
    Ok(())
}

/// Fails before a secret is created that could not be shown. If standard output was closed, Rust has opened `/dev/null` in its
/// place.
pub fn require_reader() -> Result<(), AdminError> {
    let thrown_away = rustix::fs::fstat(std::io::stdout()).is_ok_and(|output| {
        let nowhere = rustix::fs::stat("/dev/null");
        rustix::fs::FileType::from_raw_mode(output.st_mode).is_char_device()
            && nowhere.is_ok_and(|nowhere| nowhere.st_rdev == output.st_rdev)
    });
    if thrown_away {
        Err(unseen(
            "because it is closed or leads to /dev/null. Nothing was done.",
        ))
    } else {
        Ok(())
    }
}

fn unseen(why: &str) -> AdminError {
    AdminError::new(format!("Nobody can read the standard output {why}"))
}

/// The text before and after a secret, for the standard error: the standard output contains only the secret, so that a script
/// can read it.
fn remarks(answer: &Answer) -> (String, String) {
    match answer {
        Answer::AssistantKey { assistant, .. } => (
            format!(
                "The key of {} is shown this once; keep it like a password:\n\n",
                plain(&assistant.name)
            ),
            format!("\nIt delivers for {}.\n", numbers(&assistant.children)),
        ),
        Answer::SignInLink {
            expires_in,
            unconfirmed,
            ..
        } => (
            not_confirmed(unconfirmed.as_deref()),
            format!(
                "\nIt works once, for {} minutes, with the guardian's e-mail address.\n",
                expires_in / 60
            ),
        ),
        Answer::SetupLink { .. } => (
            String::new(),
            "\nIt works until somebody is set up; the next start makes another.\n".to_owned(),
        ),
        Answer::Token {
            expires_in,
            unconfirmed,
            ..
        } => (
            not_confirmed(unconfirmed.as_deref()),
            format!("\nIt holds for {} minutes.\n", expires_in / 60),
        ),
        _ => (String::new(), String::new()),
    }
}

/// The output for people. Control characters in a name cannot move or hide the text around it.
fn for_people(answer: &Answer) -> String {
    plain_lines(&sentences(answer))
}

fn sentences(answer: &Answer) -> String {
    match answer {
        Answer::GuardianAdded(guardian) => format!(
            "Added {}. They can sign in now.\nGive them a child with: porchlight child add NAME \
             --guardian {}\n",
            guardian.email, guardian.email
        ),
        Answer::GuardianChanged(changed) => format!(
            "Sign-in links go to {} from now on. They were signed out everywhere.\n{}",
            changed.entry.email,
            traces(changed)
        ),
        Answer::GuardianSignedOut(guardian) => format!(
            "Signed {} out everywhere, and ended their links and the invitations that they made.\n{}",
            guardian.email,
            not_confirmed(Some(guardian))
        ),
        Answer::GuardianRemoved(removed) => format!(
            "Removed {} and signed them out everywhere. Backups made before keep their name and address.\n{}{}",
            removed.entry.email,
            not_confirmed(Some(&removed.entry)),
            traces(removed)
        ),
        Answer::Guardians(guardians) => table(
            &["E-mail", "Name", "Children"],
            guardians.entries.iter().map(guardian_row),
            "There are no guardians yet. Add one with: porchlight guardian add EMAIL",
        ),
        Answer::ChildAdded(child) => format!(
            "Added {} with the number {}.\nLet an assistant deliver with: porchlight assistant add \
             NAME --child {}\n",
            plain(&child.name),
            child.child_id,
            child.child_id
        ),
        Answer::ChildRenamed(renamed) => {
            format!("{}\n{}", child_sentence(&renamed.entry), traces(renamed))
        }
        Answer::ChildChanged(child) => format!("{}\n", child_sentence(child)),
        Answer::RetentionChosen { child, period } => format!(
            "Conversations of {} (number {}) are kept {}.\n",
            plain(&child.name),
            child.child_id,
            period.map_or_else(
                || "for ever".to_owned(),
                |period| format!("for {} days", period.days())
            ),
        ),
        Answer::ChildRemoved(removed) => format!(
            "Erased everything of {} (number {}). Backups made before keep it.\n{}",
            plain(&removed.entry.name),
            removed.entry.child_id,
            traces(removed)
        ),
        Answer::Children(children) => table(
            &["Number", "Name", "Guardians", "Assistants"],
            children.entries.iter().map(child_row),
            "There are no children yet. Add one with: porchlight child add NAME --guardian EMAIL",
        ),
        Answer::AssistantRevoked(assistant) => {
            format!(
                "Removed {}. Its key ended at once; what it delivered stays.\n",
                plain(&assistant.name)
            )
        }
        Answer::Assistants(assistants) => table(
            &["Name", "Children", "Upstream", "Added"],
            assistants.entries.iter().map(assistant_row),
            "There are no assistants yet. Add one with: porchlight assistant add NAME --child ID",
        ),
        Answer::AssistantChanged(assistant) => upstreams::chosen(assistant),
        Answer::UpstreamAdded(upstream) => upstreams::added(upstream),
        Answer::UpstreamRemoved(removed) => format!(
            "Removed {} and its key. Backups made before keep them.\n{}",
            plain(&removed.entry.name),
            traces(removed)
        ),
        Answer::Upstreams(upstreams) => table(
            &["Name", "URL", "API", "Key", "Models", "Assistants"],
            upstreams.entries.iter().map(upstream_row),
            "There are no upstreams yet. Add one with: porchlight upstream add NAME --url URL",
        ),
        Answer::UpstreamTested {
            name,
            models,
            answered,
        } => upstreams::tested(name, models, answered.as_deref()),
        Answer::ReviewerFound(found) => reviewer::found(found),
        Answer::ReviewerTested(tested) => reviewer::tested(tested),
        Answer::ChannelsTested(tested) => channels_tested(tested),
        // The command sends the messages itself.
        Answer::TestRecipient(_) => String::new(),
        Answer::AssistantKey { key: secret, .. }
        | Answer::SetupLink { link: secret }
        | Answer::SignInLink { link: secret, .. }
        | Answer::Token {
            identity_token: secret,
            ..
        } => format!("{secret}\n"),
        Answer::PublicUrl(url) => format!("{url}\n"),
        Answer::Seeded(seeded) => format!(
            "Brought in {} with {} and {}.\n",
            counted(seeded.children.len() as u64, "child", "children"),
            counted(seeded.sessions, "session", "sessions"),
            counted(seeded.messages, "message", "messages"),
        ),
        Answer::BackedUp(contents) => format!(
            "Backed up {} records as of {}. The file is as private as the data folder.\n",
            contents.records(),
            contents.made_at
        ),
        Answer::Restored(restored) => restored_sentences(restored),
        Answer::Reinstated {
            reinstated,
            suspended,
        } => format!(
            "Let {} and {} in again.\n{}",
            counted(reinstated.guardians, "guardian", "guardians"),
            counted(reinstated.assistants, "assistant", "assistants"),
            suspended_sentences(suspended)
        ),
        Answer::Sound(contents) => format!(
            "{}The backup is whole. It shows {}.\n",
            tables(&contents.tables),
            contents.made_at
        ),
        Answer::Verified(verified) if verified.damaged == 0 => {
            format!("{}Every record can be read.\n", tables(&verified.tables))
        }
        Answer::Verified(verified) => tables(&verified.tables),
        Answer::Exported(exported) => format!(
            "Exported {} with {} and {}.\n",
            counted(exported.children, "child", "children"),
            counted(exported.sessions, "session", "sessions"),
            counted(exported.messages, "message", "messages"),
        ),
        Answer::BackupState(state) => match state.succeeded_at {
            Some(at) => format!("The last scheduled backup was made at {at}.\n"),
            None => "There has been no scheduled backup.\n".to_owned(),
        },
        Answer::ClockAccepted(now) => {
            format!(
                "It is {now}: assistants can deliver again, if they could not, and what is due by date takes effect.\n"
            )
        }
        Answer::ClockState {
            due_waits_seconds,
            refused,
        } => {
            let sentences = clock::sentences(*due_waits_seconds, refused.as_ref());
            sentences.into_iter().map(|line| line + "\n").collect()
        }
        Answer::TracesLeft { left: true } => {
            "Something that was removed can still be found in the store's files.\n".to_owned()
        }
        Answer::TracesLeft { left: false } => "Nothing that was removed is left.\n".to_owned(),
        Answer::NotReviewed { conversations } => {
            not_reviewed(*conversations).map_or_else(String::new, |line| line + "\n")
        }
        Answer::NotArriving(channels) => channels
            .iter()
            .map(|channel| not_arriving(channel) + "\n")
            .collect(),
        Answer::NotKept(totals) => totals.iter().map(|total| not_kept(total) + "\n").collect(),
        Answer::Forwarding(seen) => seen.iter().map(forwarding).collect(),
        Answer::Ready { ready: true } => "The server is ready.\n".to_owned(),
        Answer::Ready { ready: false } => "The server is not ready.\n".to_owned(),
    }
}

/// What became of the message of each channel.
fn channels_tested(tested: &ChannelsTested) -> String {
    let line = |(channel, tested): (&str, &Tested)| {
        let (Tested::Sent(sentence) | Tested::NotSent(sentence) | Tested::Failed(sentence)) =
            tested;
        format!("{channel:<8} {sentence}\n")
    };
    tested.all().map(line).concat()
}

/// The warning that unreadable records are missing from an answer.
pub fn left_out(unreadable: u64) -> String {
    let (records, verb) = match unreadable {
        1 => ("1 record", "is"),
        _ => (&*format!("{unreadable} records"), "are"),
    };
    format!("{records} could not be read and {verb} left out. To see which: porchlight verify")
}

/// The warning that removed data is still in the store's files.
fn traces<T>(compacted: &Compacted<T>) -> String {
    match &compacted.traces {
        Some(sentence) => format!("{}\n", plain(sentence)),
        None => String::new(),
    }
}

/// The suspended guardians and assistants, and how to reinstate them.
fn suspended_sentences(suspended: &Suspended) -> String {
    let mut text = String::new();
    if suspended.guardians.is_empty()
        && suspended.assistants.is_empty()
        && suspended.unreadable == 0
    {
        return text;
    }
    text += "\nSuspended until you name them, because they may have been removed since:\n";
    for email in &suspended.guardians {
        text += &format!("  guardian   {email}\n");
    }
    for name in &suspended.assistants {
        text += &format!("  assistant  {}\n", plain(name));
    }
    if suspended.unreadable > 0 {
        text += &left_out(suspended.unreadable);
        text.push('\n');
    }
    text + "Reinstate them with: porchlight reinstate --guardian EMAIL --assistant NAME, or all of them with: porchlight reinstate --all\n"
}

fn restored_sentences(restored: &Restored) -> String {
    let contents = &restored.contents;
    let text = format!(
        "Restored {} records, as they were at {}. What was erased or removed since is back. Nobody is signed in, and no \
         sign-in link, invitation or recovery code works.\n",
        contents.records(),
        contents.made_at
    );
    let left_out = LEFT_OUT.iter().map(|(what, _)| format!("  {what}\n"));
    let left_out = left_out.collect::<String>();
    let text = format!(
        "{text}Not restored:\n{left_out}What guardians are notified of comes back when they are reinstated. Each is asked at \
         the next sign-in about what doesn't.\n"
    );
    text + &suspended_sentences(&restored.suspended)
}

/// The number of records of each kind.
fn tables(tables: &Tables) -> String {
    let rows = tables
        .iter()
        .map(|(name, count)| vec![name.clone(), count.to_string()]);
    table(&["Table", "Records"], rows, "There are no records.")
}

/// The warning that an unverified address may be somebody else's, and which guardian typed it; empty for a verified address.
fn not_confirmed(guardian: Option<&GuardianEntry>) -> String {
    let Some(guardian) = guardian else {
        return String::new();
    };
    let called = match &guardian.name {
        Some(name) => format!(", called {}", plain(name)),
        None => String::new(),
    };
    if guardian.unverified {
        format!(
            "Nobody has confirmed the address {}. It was typed by the guardian {}{called}.\n",
            guardian.email, guardian.id
        )
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::admin::{ChildEntry, Entries};
    use crate::children::ChildId;

    #[test]
    fn a_table_lines_up() {
        let rows = [
            vec!["1".to_owned(), "Mia".to_owned()],
            vec!["12".to_owned(), "L".to_owned()],
        ];

        let text = table(&["Number", "Name"], rows.into_iter(), "none");

        assert_eq!(text, "Number  Name\n1       Mia\n12      L\n");
    }

    #[test]
    fn a_name_in_a_table_or_a_sentence_can_neither_hide_nor_move_the_text_around_it() {
        let child = ChildEntry {
            child_id: ChildId::new(1),
            name: "Mia\u{202e}gnorw\n2  Leo\u{1b}[2K\u{200b}".to_owned(),
            guardians: Vec::new(),
            assistants: Vec::new(),
        };

        let listed = for_people(&Answer::Children(Entries {
            entries: vec![child.clone()],
            unreadable: 0,
        }));
        let text = for_people(&Answer::ChildAdded(child));

        assert_eq!(
            listed,
            "Number  Name                                            Guardians           Assistants\n\
             1       Mia[RLO]gnorw[U+000A]2  Leo[U+001B][2K[U+200B]  without a guardian  -\n"
        );
        assert!(
            text.starts_with(
                "Added Mia[RLO]gnorw[U+000A]2  Leo[U+001B][2K[U+200B] with the number 1.\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn an_empty_table_says_what_to_do() {
        assert_eq!(
            table(&["Number"], std::iter::empty(), "Add one."),
            "Add one.\n"
        );
    }
}
