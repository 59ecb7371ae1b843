//! Invitations, indexed by id, by the hash of their token, and by child.

use super::invitation::{Invitation, InvitationId};
use crate::children::ChildId;
use crate::kernel::host::secret::SecretHash;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const INVITATION: Table = Table::new("invitation");
const INVITATION_BY_TOKEN: Table = Table::new("invitation-by-token");
/// By child. Written with each change of the invitation.
pub const INVITATION_OF: Table = Table::new("invitation-of");

impl Record for Invitation {}
impl Record for InvitationId {}

pub const KINDS: [RecordKind; 3] = [
    RecordKind::of::<Invitation>(INVITATION),
    RecordKind::of::<InvitationId>(INVITATION_BY_TOKEN),
    RecordKind::of::<InvitationId>(INVITATION_OF),
];

pub const TABLES: [Table; 3] = [INVITATION, INVITATION_BY_TOKEN, INVITATION_OF];

fn key(id: &InvitationId) -> Key {
    INVITATION.key().text(id.as_str())
}

fn token_key(token: SecretHash) -> Key {
    INVITATION_BY_TOKEN.key().fixed(token.as_bytes())
}

/// The key prefix of a child's invitations.
pub fn of_child(child: ChildId) -> Key {
    INVITATION_OF.key().number(child.number())
}

pub fn invitation(view: &impl Read, id: &InvitationId) -> Result<Option<Invitation>, StoreError> {
    view.get(&key(id))
}

pub fn by_token(view: &impl Read, token: SecretHash) -> Result<Option<Invitation>, StoreError> {
    match view.get::<InvitationId>(&token_key(token))? {
        Some(id) => invitation(view, &id),
        None => Ok(None),
    }
}

pub fn invitations_of(view: &impl Read, child: ChildId) -> Result<Vec<InvitationId>, StoreError> {
    view.list(&of_child(child))
}

/// Includes ids whose index entry is unreadable.
pub fn invitation_ids_of(
    view: &impl Read,
    child: ChildId,
) -> Result<Vec<InvitationId>, StoreError> {
    let ids = view.texts_below(&of_child(child))?;
    Ok(ids.iter().map(|id| InvitationId::from_text(id)).collect())
}

/// Which of these children an invitation is about. Checked with the guardian's own children before anything else of the
/// invitation is read, so that another family's invitation takes as long as a missing one.
pub fn children_invited_to(
    view: &impl Read,
    children: &[ChildId],
    id: &InvitationId,
) -> Result<Vec<ChildId>, StoreError> {
    let mut invited = Vec::new();
    for child in children {
        if view.contains(&of_child(*child).text(id.as_str()))? {
            invited.push(*child);
        }
    }
    Ok(invited)
}

/// Includes unreadable invitations.
pub fn all_invitations(view: &impl Read) -> Result<Vec<InvitationId>, StoreError> {
    let ids = view.texts_below(&INVITATION.key())?;
    Ok(ids.iter().map(|id| InvitationId::from_text(id)).collect())
}

/// Writes an invitation and its index by child; `before` are the children it had.
pub fn put_invitation(
    change: &mut Change,
    invitation: &Invitation,
    before: &[ChildId],
) -> Result<(), StoreError> {
    let id = &invitation.id;
    change.put(&key(id), invitation)?;
    change.put(&token_key(invitation.token), id)?;
    for child in before {
        if !invitation.children.contains(child) {
            change.remove(&of_child(*child).text(id.as_str()))?;
        }
    }
    for child in &invitation.children {
        change.put(&of_child(*child).text(id.as_str()), id)?;
    }
    Ok(())
}

pub fn remove_invitation(change: &mut Change, invitation: &Invitation) -> Result<(), StoreError> {
    let id = &invitation.id;
    change.remove(&key(id))?;
    change.remove(&token_key(invitation.token))?;
    for child in &invitation.children {
        change.remove(&of_child(*child).text(id.as_str()))?;
    }
    Ok(())
}
