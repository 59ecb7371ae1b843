//! Executes the administrator's requests.

use super::compacting::{change_and_compact, compact, still_found};
use super::entries::{self, assistant_entry, child_entry, guardian_entry};
use super::stream::Pieces;
use super::{
    AdminError, Answer, Compacted, GuardianEntry, OnProgress, Request, backup, exporting, looked,
    notify_test, reviewer, seed, upstreams, verify,
};
use crate::app::App;
use crate::children::{Child, ChildId, ChildrenError};
use crate::gateway::upstreams::WhenNotKept;
use crate::identity::{self, Caller, GuardianName, KeyKind, LINK_LIFE};
use crate::kernel::backup_state::ScheduleState;
use crate::kernel::clock::Clock;
use crate::kernel::name::valid_name;
use crate::kernel::store::{Change, Purpose, Read, Store, StoreError};
use crate::retention::deletions::Reason;
use crate::reviewer::count_all_not_reviewed;
use crate::subscriptions::not_arriving;
use crate::transcripts::count_not_kept;

/// Executes a request. Long operations report to `progress`; large results are sent to `pieces`.
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
    if let Request::Forwarding = request {
        return Ok(Answer::Forwarding(app.forwarding.seen()));
    }
    if let Request::Backup = request {
        looked::note_backup(&app.looks, &app.children, &app.store).await;
    }
    if let Some(done) = on_store(&app.store, &app.clock, &request, progress, pieces).await {
        return done;
    }
    let purpose = purpose_of(&request);
    match request {
        Request::ListGuardians => Ok(Answer::Guardians(entries::guardians(app)?)),
        Request::ListChildren => Ok(Answer::Children(entries::children(app)?)),
        Request::ListAssistants => Ok(Answer::Assistants(entries::assistants(app)?)),
        Request::ListUpstreams => Ok(Answer::Upstreams(upstreams::list(app)?)),
        Request::TestUpstream { name, model } => upstreams::test(app, &name, model).await,
        Request::RemoveUpstream { name } => {
            let remove = move |app: &App, change: &mut Change| upstreams::remove(app, change, name);
            let removed = change_and_compact(app, progress, purpose, remove).await?;
            Ok(Answer::UpstreamRemoved(removed))
        }
        Request::FindReviewer(named) => Ok(Answer::ReviewerFound(reviewer::find(app, named)?)),
        Request::TestReviewer(named) => {
            let tested = reviewer::test(app, named, progress, pieces).await?;
            Ok(Answer::ReviewerTested(tested))
        }
        Request::TestChannels { email } => notify_test::test(app, &email).await,
        Request::SetupLink => match app.identity.setup.link()? {
            Some(link) => Ok(Answer::SetupLink { link }),
            None if app.identity.setup.is_over()? => Err(AdminError::new(
                "This Porchlight is set up. `porchlight sign-in-link EMAIL` is a guardian's way in.",
            )),
            None => Err(AdminError::new(
                "The link of the first run is made when the server starts: porchlight serve",
            )),
        },
        Request::SignInLink { email } => {
            let link = app.identity.links.link_for(&email).await?;
            looked::note_link(app, &email).await?;
            Ok(Answer::SignInLink {
                link,
                expires_in: LINK_LIFE.as_secs(),
                unconfirmed: unconfirmed(app, &email)?,
            })
        }
        Request::Token { email } => {
            let issued = app.identity.sign_ins.token_for(&email).await?;
            let (identity_token, expires_in) = (issued.identity_token, issued.expires_in);
            Ok(Answer::Token {
                identity_token,
                expires_in,
                unconfirmed: unconfirmed(app, &email)?,
            })
        }
        Request::PublicUrl => Ok(Answer::PublicUrl(app.identity.public_url().clone())),
        Request::Seed { text } => Ok(Answer::Seeded(seed::import(app, &text, progress).await?)),
        Request::ClockState => Ok(Answer::ClockState {
            due_waits_seconds: app.due.waits().map(|waits| waits.as_secs()),
            refused: app.assistant.latest.refused(&app.store, app.clock.now())?,
        }),
        Request::Ready => Ok(Answer::Ready {
            ready: app.is_ready(),
        }),
        Request::RemoveChild { child, name } => remove_child(app, child, &name, progress).await,
        Request::Export { child } => Ok(Answer::Exported(
            exporting::export(app, child, progress, pieces).await?,
        )),
        Request::ChangeEmail { from, to } => {
            let change = move |app: &App, change: &mut Change| {
                let guardian = app.identity.access.change_email(change, &from, &to)?;
                Ok(guardian_entry(app, change, guardian)?)
            };
            let changed = change_and_compact(app, progress, purpose, change).await?;
            Ok(Answer::GuardianChanged(changed))
        }
        Request::RemoveGuardian { email } => {
            let remove = move |app: &App, change: &mut Change| remove_guardian(app, change, &email);
            let removed = change_and_compact(app, progress, purpose, remove).await?;
            Ok(Answer::GuardianRemoved(removed))
        }
        Request::RenameChild { child, name } => {
            let rename = move |app: &App, change: &mut Change| {
                let child = app
                    .children
                    .rename(change, child, valid_name(&name)?, None)?;
                Ok(child_entry(app, change, child)?)
            };
            let renamed = change_and_compact(app, progress, purpose, rename).await?;
            Ok(Answer::ChildRenamed(renamed))
        }
        change => {
            let doing = app.clone();
            app.store
                .commit_for(purpose, move |view| apply(&doing, view, change))
                .await?
        }
    }
}

/// Executes a request that only reads the store; `None` for any other request.
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
        Request::Verify => verify::verify(store, progress).await.map(Answer::Verified),
        // Without a running server there were no requests with such faults.
        Request::Forwarding => Ok(Answer::Forwarding(Vec::new())),
        Request::BackupState => ScheduleState::of(store)
            .map(Answer::BackupState)
            .map_err(AdminError::from),
        Request::TracesLeft => store
            .required_compaction()
            .map(|required| Answer::TracesLeft {
                left: required.soon,
            })
            .map_err(AdminError::from),
        Request::NotReviewed => count_all_not_reviewed(store, clock.now())
            .map(|conversations| Answer::NotReviewed { conversations })
            .map_err(AdminError::from),
        Request::NotArriving => not_arriving(store)
            .map(Answer::NotArriving)
            .map_err(AdminError::from),
        Request::NotKept => count_not_kept(store)
            .map(Answer::NotKept)
            .map_err(AdminError::from),
        _ => return None,
    })
}

/// Revocations and removals work even if the disk is nearly full.
fn purpose_of(request: &Request) -> Purpose {
    match request {
        Request::RemoveGuardian { .. }
        | Request::ChangeEmail { .. }
        | Request::SignOutGuardian { .. }
        | Request::UnlinkChild { .. }
        | Request::RotateAssistant { .. }
        | Request::RevokeAssistant { .. }
        | Request::RemoveUpstream { .. } => Purpose::Essential,
        _ => Purpose::Ordinary,
    }
}

/// Executes the requests that are a single change.
fn apply(app: &App, change: &mut Change, request: Request) -> Result<Answer, AdminError> {
    let identity = &app.identity;
    match request {
        Request::AddGuardian { email, name } => {
            let name = name.map(|name| valid_name(&name)).transpose()?;
            let guardian = identity.guardians.add(change, &email, name)?;
            Ok(Answer::GuardianAdded(guardian_entry(
                app, change, guardian,
            )?))
        }
        Request::SignOutGuardian { email } => {
            let signed_out = identity.access.sign_guardian_out(change, &email)?;
            let entry = entries::removed_guardian(app, change, signed_out)?;
            Ok(Answer::GuardianSignedOut(entry))
        }
        Request::Reinstate(named) => Ok(Answer::Reinstated {
            reinstated: identity::reinstate(change, &named)?,
            suspended: identity::all_suspended(change)?,
        }),
        Request::AddChild {
            name,
            guardians,
            time_zone,
        } => {
            let child = app.children.add(change, valid_name(&name)?)?;
            if let Some(zone) = time_zone {
                let access = app.children.for_administrator_in(change, child.child_id)?;
                app.times.choose_zone(change, &access, zone)?;
            }
            for email in &guardians {
                link(app, change, child.child_id, email)?;
            }
            Ok(Answer::ChildAdded(child_entry(app, change, child)?))
        }
        Request::LinkChild { child, email } => {
            link(app, change, child, &email)?;
            let child = app.children.get(change, child)?;
            Ok(Answer::ChildChanged(child_entry(app, change, child)?))
        }
        Request::ChooseRetention { child, period } => {
            app.household.impose_retention(change, child, period)?;
            let child = child_entry(app, change, app.children.get(change, child)?)?;
            Ok(Answer::RetentionChosen { child, period })
        }
        Request::UnlinkChild { child, email } => {
            let guardian = identity.guardians.named_for_certain(change, &email)?;
            let child = app.children.get(change, child)?;
            let caller = Caller::Guardian(guardian.id);
            if !app.children.unlink(change, child.child_id, &caller)? {
                let sentence = format!("{email} does not have the child {}.", child.child_id);
                return Err(AdminError::new(sentence));
            }
            Ok(Answer::ChildChanged(child_entry(app, change, child)?))
        }
        Request::AddAssistant {
            name,
            children,
            upstream,
        } => {
            let kind = if upstream.is_some() {
                KeyKind::Gateway
            } else {
                KeyKind::AssistantApi
            };
            let name = valid_name(&name)?;
            let (assistant, key) = identity.assistants.add(change, &name, None, kind)?;
            for child in children {
                let caller = Caller::Assistant(assistant.id.clone());
                app.children.link(change, child, &caller)?;
            }
            let upstream = upstream.as_deref();
            upstreams::set(app, change, &assistant.id, upstream, WhenNotKept::default())?;
            let assistant = assistant_entry(app, change, assistant)?;
            Ok(Answer::AssistantKey {
                assistant,
                key: key.reveal().to_owned(),
            })
        }
        Request::RotateAssistant { name } => {
            let (assistant, key) = identity.assistants.rotate(change, &name, None)?;
            let assistant = assistant_entry(app, change, assistant)?;
            Ok(Answer::AssistantKey {
                assistant,
                key: key.reveal().to_owned(),
            })
        }
        Request::RevokeAssistant { name } => {
            let revoked = identity.assistants.revoke(change, &name)?;
            let entry = entries::revoked_assistant(app, change, name, revoked)?;
            app.children
                .unlink_all(change, &Caller::Assistant(entry.id.clone()))?;
            Ok(Answer::AssistantRevoked(entry))
        }
        Request::ChooseUpstream {
            assistant,
            upstream,
            when_not_kept,
        } => upstreams::choose(app, change, &assistant, upstream.as_deref(), when_not_kept),
        Request::AddUpstream(new) => upstreams::add(app, change, new),
        Request::AcceptClock => {
            let now = app.assistant.accept_clock(change)?;
            app.due.accept(change)?;
            Ok(Answer::ClockAccepted(now))
        }
        _ => unreachable!("`execute` carries out what is no single change"),
    }
}

/// Removes all links to the child in one change, then erases its remaining data.
async fn remove_child(
    app: &App,
    child: ChildId,
    name: &str,
    progress: OnProgress<'_>,
) -> Result<Answer, AdminError> {
    let (doing, name) = (app.clone(), name.trim().to_owned());
    let removed = app.store.commit_for(Purpose::Essential, move |change| {
        let found = confirmed(&doing, change, child, name)?;
        let entry = child_entry(&doing, change, found)?;
        let guardians = match doing.children.guardians_of(change, child) {
            // Nobody knows who they were, so nobody gets the e-mail.
            Err(StoreError::Unreadable(_)) => Vec::new(),
            guardians => guardians?,
        };
        let access = doing.children.remove(change, child)?;
        doing
            .retention
            .note_child_deletion(change, &access, Reason::Administrator, guardians)?;
        Ok::<_, AdminError>((entry, access))
    });
    let (entry, access) = removed.await??;
    let traces = match app.erase(access).await {
        Ok(()) => compact(app, progress).await,
        Err(error) => Some(still_found(&error)),
    };
    Ok(Answer::ChildRemoved(Compacted { entry, traces }))
}

/// The child to erase, if the name was confirmed; or its number, if its name is unreadable.
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

fn remove_guardian(
    app: &App,
    change: &mut Change,
    whom: &GuardianName,
) -> Result<GuardianEntry, AdminError> {
    let removed = app.identity.access.remove_guardian(change, whom)?;
    let entry = entries::removed_guardian(app, change, removed)?;
    app.children
        .unlink_all(change, &Caller::Guardian(entry.id.clone()))?;
    app.household.forget(change, &entry.id)?;
    Ok(entry)
}

/// The guardian, if they have not confirmed the address that they typed.
fn unconfirmed(app: &App, whom: &GuardianName) -> Result<Option<Box<GuardianEntry>>, AdminError> {
    let guardian = app.identity.guardians.named(&app.store, whom)?;
    if guardian.verified {
        Ok(None)
    } else {
        let entry = guardian_entry(app, &app.store, guardian)?;
        Ok(Some(Box::new(entry)))
    }
}

fn link(
    app: &App,
    change: &mut Change,
    child: ChildId,
    whom: &GuardianName,
) -> Result<(), AdminError> {
    let guardian = app.identity.guardians.named_for_certain(change, whom)?;
    Ok(app
        .children
        .link(change, child, &Caller::Guardian(guardian.id))?)
}
