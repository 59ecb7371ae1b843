//! A proxy with OpenAI's and Ollama's chat APIs in front of the family's own model.
//!
//! A program is configured with this server as its base URL, and with an assistant's key. The gateway adds the parents' rules to
//! the prompt of each request, forwards it to the upstream that the administrator chose, and stores the child's transcript.

pub mod grouping;
