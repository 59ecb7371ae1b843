//! The APIs that clients speak.

/// Which API the client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    OpenAi,
    Ollama,
}
