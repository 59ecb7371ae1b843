//! Carries out what the administrator asks for.

use super::entries::{self, assistant_entry, child_entry, guardian_entry};
use super::stream::Pieces;
use super::{AdminError, Answer, OnProgress, Progress, Request, backup, export, schedule, seed};
use crate::app::App;
use crate::children::{Child, ChildrenError};
use crate::identity::{Caller, LINK_LIFE};
use crate::kernel::clock::Clock;
use crate::kernel::ids::ChildId;
use crate::kernel::mail::EmailAddress;
use crate::kernel::store::{Change, Read, Store, StoreError};
use crate::kernel::wire::Text;

/// Carries out a request. `progress` hears of what takes long, `pieces` take what is large.
///
/// # Errors
///
/// A sentence that says why nothing was done.
pub async fn execute(
    app: &App,
    request: Request,
    progress: OnProgress<'_>,
    pieces: &Pieces,
) -> Result<Answer, AdminError> {
    if let Some(done) = on_store(&app.store, &app.clock, &request, progress, pieces).await {
        return done;
    }
    match request {
        Request::ListGuardians => Ok(Answer::Guardians(entries::guardians(app)?)),
        Request::ListChildren => Ok(Answer::Children(entries::children(app)?)),
        Request::ListAssistants => Ok(Answer::Assistants(entries::assistants(app)?)),
        Request::SignInLink { email } => {
            let link = app.identity.link_for(&email).await?;
            Ok(Answer::SignInLink {
                link,
                expires_in: LINK_LIFE.as_secs(),
            })
        }
        Request::Token { email } => {
            let issued = app.identity.token_for(&email).await?;
            let (identity_token, expires_in) = (issued.identity_token, issued.expires_in);
            Ok(Answer::Token {
                identity_token,
                expires_in,
            })
        }
        Request::Seed { text } => Ok(Answer::Seeded(seed::bring_in(app, &text, progress).await?)),
        Request::Ready => Ok(Answer::Ready {
            ready: app.is_ready(),
        }),
        Request::RemoveChild { child, name } => remove_child(app, child, &name, progress).await,
        Request::Export { child } => Ok(Answer::Exported(
            export::send(app, child, progress, pieces).await?,
        )),
        change => {
            let doing = app.clone();
            app.store
                .commit(move |view| apply(&doing, view, change))
                .await?
        }
    }
}

/// Carries out what only reads the store as it is; `None` when something else is asked for.
pub(super) async fn on_store(
    store: &Store,
    clock: &Clock,
    request: &Request,
    progress: OnProgress<'_>,
    pieces: &Pieces,
) -> Option<Result<Answer, AdminError>> {
    Some(match request {
        Request::Backup => backup::send(store, clock, progress, pieces)
            .await
            .map(Answer::BackedUp),
        Request::Verify => backup::verify(store, progress).await.map(Answer::Verified),
        Request::BackupState => schedule::state(store)
            .map(Answer::BackupState)
            .map_err(AdminError::from),
        _ => return None,
    })
}

/// What is done in one change.
fn apply(app: &App, change: &mut Change, request: Request) -> Result<Answer, AdminError> {
    let identity = &app.identity;
    match request {
        Request::AddGuardian { email, name } => {
            let name = name.map(|name| person(&name)).transpose()?;
            let guardian = identity.add_guardian(change, &email, name)?;
            Ok(Answer::GuardianAdded(guardian_entry(
                app, change, guardian,
            )?))
        }
        Request::ChangeEmail { from, to } => {
            let guardian = identity.change_email(change, &from, &to)?;
            Ok(Answer::GuardianChanged(guardian_entry(
                app, change, guardian,
            )?))
        }
        Request::RemoveGuardian { email } => {
            let removed = identity.remove_guardian(change, &email)?;
            let entry = entries::removed_guardian(app, change, email, removed)?;
            app.children
                .unlink_all(change, &Caller::Guardian(entry.id.clone()))?;
            Ok(Answer::GuardianRemoved(entry))
        }
        Request::AddChild { name, guardians } => {
            let child = app.children.add(change, person(&name)?)?;
            for email in &guardians {
                link(app, change, child.child_id, email)?;
            }
            Ok(Answer::ChildAdded(child_entry(app, change, child)?))
        }
        Request::RenameChild { child, name } => {
            let child = app.children.rename(change, child, person(&name)?)?;
            Ok(Answer::ChildChanged(child_entry(app, change, child)?))
        }
        Request::LinkChild { child, email } => {
            link(app, change, child, &email)?;
            let child = app.children.get(change, child)?;
            Ok(Answer::ChildChanged(child_entry(app, change, child)?))
        }
        Request::UnlinkChild { child, email } => {
            let guardian = identity.get_guardian(change, &email)?;
            let child = app.children.get(change, child)?;
            let caller = Caller::Guardian(guardian.id);
            if !app.children.unlink(change, child.child_id, &caller)? {
                let sentence = format!("{email} does not have the child {}.", child.child_id);
                return Err(AdminError::new(sentence));
            }
            Ok(Answer::ChildChanged(child_entry(app, change, child)?))
        }
        Request::AddAssistant { name, children } => {
            let (assistant, key) = identity.add_assistant(change, &person(&name)?)?;
            for child in children {
                let caller = Caller::Assistant(assistant.id.clone());
                app.children.link(change, child, &caller)?;
            }
            let assistant = assistant_entry(app, change, assistant)?;
            Ok(Answer::AssistantKey {
                assistant,
                key: key.reveal().to_owned(),
            })
        }
        Request::RotateAssistant { name } => {
            let (assistant, key) = identity.rotate_assistant(change, &name)?;
            let assistant = assistant_entry(app, change, assistant)?;
            Ok(Answer::AssistantKey {
                assistant,
                key: key.reveal().to_owned(),
            })
        }
        Request::RevokeAssistant { name } => {
            let revoked = identity.revoke_assistant(change, &name)?;
            let entry = entries::revoked_assistant(app, change, name, revoked)?;
            app.children
                .unlink_all(change, &Caller::Assistant(entry.id.clone()))?;
            Ok(Answer::AssistantRevoked(entry))
        }
        _ => unreachable!("`execute` carries out what is no single change"),
    }
}

/// Takes the child from everybody in one change, then erases what is left of it.
async fn remove_child(
    app: &App,
    child: ChildId,
    name: &str,
    progress: OnProgress<'_>,
) -> Result<Answer, AdminError> {
    let (doing, name) = (app.clone(), name.trim().to_owned());
    let removed = app.store.commit(move |change| {
        let found = confirmed(&doing, change, child, name)?;
        let entry = child_entry(&doing, change, found)?;
        let access = doing.children.remove(change, child)?;
        Ok::<_, AdminError>((entry, access))
    });
    let (entry, access) = removed.await??;
    app.erase(access).await?;
    rewrite(app, progress).await.map_err(|error| {
        AdminError::new(format!(
            "Everything of the child {child} was erased, but traces of it can still be found in the \
             store's files until they are written anew, which the next start does. {error}"
        ))
    })?;
    Ok(Answer::ChildRemoved(entry))
}

/// The child that is to be erased, once its name was typed; or its number, when its name cannot be read.
fn confirmed(
    app: &App,
    view: &impl Read,
    child: ChildId,
    typed: String,
) -> Result<Child, AdminError> {
    let sentence = match app.children.get(view, child) {
        Ok(found) if found.name == typed => return Ok(found),
        Ok(_) => format!(
            "The child {child} has another name, so nothing was erased. \
             `porchlight child list` shows the names."
        ),
        Err(ChildrenError::Store(StoreError::Unreadable(_))) if typed == child.to_string() => {
            let (child_id, name) = (child, typed);
            return Ok(Child { child_id, name });
        }
        Err(ChildrenError::Store(StoreError::Unreadable(_))) => format!(
            "The name of the child {child} cannot be read, so nothing was erased. \
             To erase everything of it, type its number instead of its name."
        ),
        Err(error) => return Err(error.into()),
    };
    Err(AdminError::new(sentence))
}

async fn rewrite(app: &App, progress: OnProgress<'_>) -> Result<(), StoreError> {
    let (sender, mut copied) = tokio::sync::watch::channel(0);
    let app = app.clone();
    let tell = move |done| {
        sender.send_replace(done);
    };
    let rewriting = tokio::spawn(async move { app.leave_no_trace(tell).await });
    while copied.changed().await.is_ok() {
        let done = *copied.borrow_and_update();
        progress(Progress { done, total: 0 });
    }
    rewriting.await.unwrap_or(Err(StoreError::Unavailable))
}

fn link(
    app: &App,
    change: &mut Change,
    child: ChildId,
    email: &EmailAddress,
) -> Result<(), AdminError> {
    let guardian = app.identity.get_guardian(change, email)?;
    Ok(app
        .children
        .link(change, child, &Caller::Guardian(guardian.id))?)
}

/// A person's or a thing's name: trimmed, not empty, at most 200 characters, on one line.
pub(super) fn person(name: &str) -> Result<String, AdminError> {
    let name = name.trim();
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(AdminError::new(
            "A name cannot be empty or hold control characters.",
        ));
    }
    let short = Text::<200>::new(name)
        .map_err(|_| AdminError::new("A name cannot be longer than 200 characters."))?;
    Ok(short.into_string())
}
