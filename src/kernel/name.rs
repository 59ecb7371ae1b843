//! What may be the name of a person or an assistant.

/// The most characters (Unicode scalar values) of a name.
const LONGEST: usize = 200;

/// Why a text cannot be a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAName {
    /// It is empty or holds control characters.
    #[error("A name cannot be empty or hold control characters.")]
    EmptyOrControl,
    /// It is too long.
    #[error("A name cannot be longer than 200 characters.")]
    TooLong,
}

/// Validates the name of a person or an assistant, and returns it trimmed.
///
/// # Errors
///
/// When it is empty, has more than 200 characters or holds control characters.
pub fn valid_name(name: &str) -> Result<String, NotAName> {
    let name = name.trim();
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(NotAName::EmptyOrControl);
    }
    if name.chars().count() <= LONGEST {
        Ok(name.to_owned())
    } else {
        Err(NotAName::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_trimmed_not_empty_and_not_too_long() {
        let longest = "ä".repeat(LONGEST);
        assert_eq!(valid_name(" Mia Sophie\n").as_deref(), Ok("Mia Sophie"));
        assert_eq!(valid_name(&longest), Ok(longest.clone()));

        assert_eq!(valid_name(&(longest + "x")), Err(NotAName::TooLong));
        for refused in ["", " \t", "Mi\na", "Mia\u{7}"] {
            assert_eq!(
                valid_name(refused),
                Err(NotAName::EmptyOrControl),
                "{refused:?}"
            );
        }
    }
}
