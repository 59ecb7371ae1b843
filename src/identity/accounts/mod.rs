//! Who has an account: guardians with their addresses, and assistants with their keys.
//!
//! A guardian is found by their verified address, or by their id. Several may have typed the same address; it belongs to the one
//! who verifies it by e-mail. An assistant is found by the hash of its key. A restored backup suspends both until the
//! administrator reinstates them. What a guardian's requests write is also limited here.

pub mod assistants;
pub mod guardians;
pub mod reinstating;
pub mod suspension;
pub mod unverified;
pub mod write_budget;
