//! Staying signed in.
//!
//! A sign-in is a cookie on one device. It is exchanged for identity tokens, which are valid for ten minutes and carried by every
//! other request. An action that gives access, takes data out or can't be undone requires a second proof, which lasts ten minutes
//! on that device: an e-mail's code, another device, a recovery code, the provider or the administrator's link. A sign-in records
//! which method began it, and depends on none of them.

pub mod other_device;
pub mod shown_digits;
pub mod sign_ins;
pub mod step_up_codes;
pub mod tokens;
