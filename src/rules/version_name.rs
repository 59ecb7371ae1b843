//! The name of a version, which an assistant received with it.

use std::fmt;
use std::str::FromStr;

use crate::children::ChildId;

/// `NUMBER-TAG` for one child's rules, and `CHILD:NUMBER.CHILD:NUMBER-TAG` for those of several children together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionName {
    pub numbers: Numbers,
    pub tag: String,
}

/// The children and their version numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// The version of the only child.
    One(u64),
    /// The versions of these children.
    Each(Vec<(ChildId, u64)>),
}

impl fmt::Display for VersionName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.numbers {
            Numbers::One(number) => write!(formatter, "{number}")?,
            Numbers::Each(numbers) => {
                for (index, (child, number)) in numbers.iter().enumerate() {
                    let dot = if index > 0 { "." } else { "" };
                    write!(formatter, "{dot}{child}:{number}")?;
                }
            }
        }
        write!(formatter, "-{}", self.tag)
    }
}

/// Text that is not a valid version name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAVersionName;

impl FromStr for VersionName {
    type Err = NotAVersionName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (numbers, tag) = text.split_once('-').ok_or(NotAVersionName)?;
        let number = |text: &str| text.parse::<u64>().map_err(|_| NotAVersionName);
        let pair = |text: &str| {
            let (child, of_child) = text.split_once(':').ok_or(NotAVersionName)?;
            Ok((ChildId::new(number(child)?), number(of_child)?))
        };
        let numbers = if numbers.contains(':') {
            Numbers::Each(numbers.split('.').map(pair).collect::<Result<_, _>>()?)
        } else {
            Numbers::One(number(numbers)?)
        };
        let tag = tag.to_owned();
        Ok(Self { numbers, tag })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_it_was_written() {
        let child = ChildId::new;
        let names = [
            Numbers::One(0),
            Numbers::One(12),
            Numbers::Each(vec![(child(1), 12)]),
            Numbers::Each(vec![(child(1), 12), (child(7), 0)]),
        ];
        for numbers in names {
            let tag = "0123456789abcdef".to_owned();
            let name = VersionName { numbers, tag };

            assert_eq!(name.to_string().parse(), Ok(name));
        }
    }

    #[test]
    fn other_text_names_nothing() {
        for text in [
            "", "12", "-", "x-0", "1:-0", ":1-0", "1:2.-0", "1:2:3-0", "1.2-0",
        ] {
            assert_eq!(text.parse::<VersionName>(), Err(NotAVersionName), "{text}");
        }
    }
}
