//! The numbers of a child and of its sessions.

use crate::kernel::ids::numeric_id;

numeric_id!(
    ChildId,
    "A child's number. It is never given to another child."
);
// Three features that never depend on each other share it, so it is defined below them.
numeric_id!(SessionId, "A session's number.");
