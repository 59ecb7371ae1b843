//! Staying signed in.
//!
//! A sign-in is a cookie on one device. It is exchanged for identity tokens, which are valid for ten minutes and carried by every
//! other request. An action that cannot be undone requires a second proof, which lasts ten minutes on that device: an e-mail's
//! code, or the confirmation of another device. A sign-in records which method began it, and depends on none of them.

pub mod other_device;
pub mod shown_digits;
pub mod sign_ins;
pub mod step_up_codes;
pub mod tokens;
