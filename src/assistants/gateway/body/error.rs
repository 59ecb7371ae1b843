/// Why a body isn't sent to the upstream. An error names a field, never what is in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    #[error("The body isn't valid JSON.")]
    NotJson,
    #[error("The body must be a JSON object.")]
    NotAnObject,
    #[error("The field \"messages\" must be a list.")]
    NoMessages,
    #[error("Each message must be an object with a \"role\".")]
    NotAMessage,
    #[error("The field \"messages\" can have at most {0} messages.")]
    TooManyMessages(usize),
    /// Two parsers can read different values of it.
    #[error(
        "The field \"{0}\" stands twice in one object. Names that differ only in case count as the same."
    )]
    Repeated(String),
    #[error("Porchlight doesn't pass on the field \"{0}\".")]
    Refused(String),
    #[error("The field \"{0}\" has a value that Porchlight doesn't pass on.")]
    Value(&'static str),
    #[error(
        "The field \"role\" must be \"system\", \"developer\", \"user\", \"assistant\", \"tool\" or \"function\"."
    )]
    Role,
    #[error(
        "The field \"content\" has a part of the type \"{0}\", which Porchlight doesn't pass on."
    )]
    Part(String),
    #[error("The field \"{0}\" must have the data itself, not an address.")]
    Address(&'static str),
    /// The finished body doesn't have the rules where they belong.
    #[error("The rules could not be added to the prompt.")]
    RulesMissing,
}
