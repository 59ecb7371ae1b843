//! Rules for the names of people and assistants.

/// The maximum length of a name, in characters (Unicode scalar values).
const LONGEST: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAName {
    #[error("A name cannot be empty or hold control characters.")]
    EmptyOrControl,
    #[error("A name cannot be longer than 200 characters.")]
    TooLong,
}

/// Checks the name of a person or an assistant, and returns it trimmed.
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
