//! The door to what a guardian may arrange in the browser. It calls the same façades as the administrator's commands.

pub mod setup;
