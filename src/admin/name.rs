//! What may be a name.

use super::AdminError;
use crate::kernel::wire::Text;

/// Validates the name of a person or an assistant, and returns it trimmed.
///
/// # Errors
///
/// A sentence, when it is empty, has more than 200 characters or holds control characters.
pub fn validate_name(name: &str) -> Result<String, AdminError> {
    let name = name.trim();
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(AdminError::new(
            "A name cannot be empty or hold control characters.",
        ));
    }
    let short = Text::<200>::new(name)
        .map_err(|_| AdminError::new("A name cannot be longer than 200 characters."))?;
    Ok(short.into_string())
}
