//! How voice assistants reach the server: the deliveries API, the gateway in front of the family's own model, and plug-ins.

pub mod deliveries;
pub mod gateway;
pub mod plugins;
