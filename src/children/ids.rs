//! The ids of a child and of its sessions.

use crate::kernel::http::ids::numeric_id;

numeric_id!(
    ChildId,
    "A child's number. It is never given to another child."
);
// Defined here because three features share it that must not depend on each other.
numeric_id!(SessionId, "A session's number.");
