//! The instructions about a child's age, by the age's band.

/// The bands of ages, the most careful one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Band {
    Under7,
    From7To9,
    Unknown,
    From10To12,
    From13,
}

/// How to speak in each band.
const MANNER: [(Band, &str); 5] = [
    (
        Band::Under7,
        "Use very short sentences and words that a small child knows. Say one thing at a time, and explain it with things the \
         child can see or do.",
    ),
    (
        Band::From7To9,
        "Use short words and short sentences. Explain a new word when you need one.",
    ),
    (
        Band::Unknown,
        "You do not know how old the child is. Begin with short words and short sentences, and adapt to how the child speaks.",
    ),
    (
        Band::From10To12,
        "Use clear and simple sentences. Explain new words, and give reasons.",
    ),
    (
        Band::From13,
        "Speak as to a teenager: plainly, respectfully and without talking down.",
    ),
];

/// What holds at any age.
const ALWAYS: &str = "When the child asks what you are, always say that you are a computer program. Never promise to keep a \
    secret from the child's parents. Never ask for a name, an address, a school or a picture. When the child is sad, scared, hurt \
    or in danger, kindly say that you notice it, and send the child to a grown-up they trust, who may also be someone outside the \
    home. Talk about everything else openly and at the child's level.";

/// What an assistant is told of a child's age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IssuedAge {
    band: Band,
    /// In years.
    age: Option<u8>,
}

impl IssuedAge {
    pub const UNKNOWN: Self = Self {
        band: Band::Unknown,
        age: None,
    };

    pub fn of(age: u8) -> Self {
        let band = match age {
            0..=6 => Band::Under7,
            7..=9 => Band::From7To9,
            10..=12 => Band::From10To12,
            13.. => Band::From13,
        };
        Self {
            band,
            age: Some(age),
        }
    }

    /// All ages with the same lines, apart from the number of years.
    pub fn of_same_band(self) -> impl Iterator<Item = Self> {
        let all = (0..=u8::MAX).map(Self::of);
        all.filter(move |issued| issued.band == self.band)
    }

    /// The youngest child's band, without an age. A child of unknown age counts as younger than ten.
    pub fn youngest(each: impl IntoIterator<Item = Self>) -> Self {
        let bands = each.into_iter().map(|issued| issued.band);
        Self {
            band: bands.min().unwrap_or(Band::Unknown),
            age: None,
        }
    }

    pub fn age(self) -> Option<u8> {
        self.age
    }

    /// A paragraph for a system prompt.
    pub fn instructions(self) -> String {
        let age = match self.age {
            None => String::new(),
            Some(1) => "The child is 1 year old. ".to_owned(),
            Some(age) => format!("The child is {age} years old. "),
        };
        let manner = MANNER.iter().find(|(band, _)| *band == self.band);
        let manner = manner.map_or("", |(_, manner)| manner);
        format!("{age}{manner} {ALWAYS}")
    }

    /// A name for entity tags: it differs if the instructions do.
    pub fn tag(self) -> String {
        let age = self.age.map(|age| age.to_string()).unwrap_or_default();
        format!("{}{age}", self.band as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_age_has_its_bands_lines_and_what_holds_at_any_age() {
        for (age, expected) in [
            (0, "very short sentences"),
            (6, "very short sentences"),
            (7, "short words and short sentences"),
            (9, "short words and short sentences"),
            (10, "give reasons"),
            (12, "give reasons"),
            (13, "a teenager"),
            (26, "a teenager"),
        ] {
            let text = IssuedAge::of(age).instructions();
            assert!(text.starts_with(&format!("The child is {age} years old. ")));
            assert!(text.contains(expected) && text.ends_with(ALWAYS), "{text}");
        }
        assert!(
            IssuedAge::of(1)
                .instructions()
                .starts_with("The child is 1 year old. ")
        );
        let unknown = IssuedAge::UNKNOWN.instructions();
        assert!(unknown.starts_with("You do not know how old the child is. "));
        assert!(unknown.ends_with(ALWAYS));
    }

    #[test]
    fn every_band_has_one_line_in_the_order_of_care() {
        assert!(MANNER.is_sorted_by(|(one, _), (other, _)| one < other));
    }

    #[test]
    fn several_children_get_the_youngest_ones_band_and_no_age() {
        let of = IssuedAge::of;
        for (each, expected) in [
            (vec![of(14), of(8)], Band::From7To9),
            (vec![of(14), of(14)], Band::From13),
            (vec![of(14), IssuedAge::UNKNOWN], Band::Unknown),
            (vec![of(8), IssuedAge::UNKNOWN], Band::From7To9),
            (vec![of(5), of(8), of(14)], Band::Under7),
            (vec![], Band::Unknown),
        ] {
            let youngest = IssuedAge::youngest(each.clone());
            assert_eq!((youngest.band, youngest.age), (expected, None), "{each:?}");
            assert!(!youngest.instructions().contains("years old"));
        }
    }
}
