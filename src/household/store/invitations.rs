//! Invitations, found by their id, the hash of their token, or a child.

use crate::children::ChildId;
use crate::household::InvitationId;
use crate::household::invitation::Invitation;
use crate::kernel::secret::SecretHash;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const INVITATION: Table = Table::new("invitation");
const INVITATION_BY_TOKEN: Table = Table::new("invitation-by-token");
/// By child. It is written with each change of the invitation.
pub const INVITATION_OF: Table = Table::new("invitation-of");

impl Record for Invitation {}
impl Record for InvitationId {}

/// What each table holds.
pub const KINDS: [RecordKind; 3] = [
    RecordKind::of::<Invitation>(INVITATION),
    RecordKind::of::<InvitationId>(INVITATION_BY_TOKEN),
    RecordKind::of::<InvitationId>(INVITATION_OF),
];

/// What restoring a backup leaves out.
pub const NOT_RESTORED: [Table; 3] = [INVITATION, INVITATION_BY_TOKEN, INVITATION_OF];

fn key(id: &InvitationId) -> Key {
    INVITATION.key().text(id.as_str())
}

fn token_key(token: SecretHash) -> Key {
    INVITATION_BY_TOKEN.key().fixed(token.as_bytes())
}

/// The beginning of the keys of a child's invitations.
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

/// The ids of a child's invitations.
pub fn invitations_of(view: &impl Read, child: ChildId) -> Result<Vec<InvitationId>, StoreError> {
    view.list(&of_child(child))
}

/// The same, whatever can be read of them.
pub fn invitation_ids_of(
    view: &impl Read,
    child: ChildId,
) -> Result<Vec<InvitationId>, StoreError> {
    let ids = view.texts_below(&of_child(child))?;
    Ok(ids.iter().map(|id| InvitationId::from_text(id)).collect())
}

/// Which of these children an invitation is about. With a guardian's own children it comes before anything else that is read of
/// the invitation: another family's then takes as long as one that isn't there.
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

/// The ids of all invitations, whatever can be read of them.
pub fn all_invitations(view: &impl Read) -> Result<Vec<InvitationId>, StoreError> {
    let ids = view.texts_below(&INVITATION.key())?;
    Ok(ids.iter().map(|id| InvitationId::from_text(id)).collect())
}

/// Writes an invitation, for exactly its children: `before` are those that it had.
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
