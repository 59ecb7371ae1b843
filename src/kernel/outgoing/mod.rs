//! What leaves the server: e-mail, notifications, webhooks, requests to other servers, and the durable queue in front of them.

pub mod acme;
pub mod certificate;
pub mod handshake;
pub mod https;
pub mod mail;
pub mod ntfy;
pub mod post;
pub mod push;
pub mod queue;
pub mod webhook;
