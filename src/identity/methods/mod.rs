//! The methods of signing in: a link sent by e-mail, a recovery code, another device, an account at the OpenID Connect provider,
//! and the setup link of a new server.
//!
//! Each checks its own proof, and begins a sign-in in the same change that uses the proof up.

pub mod links;
pub mod pairing;
pub mod provider;
pub mod recovery_codes;
pub mod setup;
