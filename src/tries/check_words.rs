//! Whether the model gets all of the rules: in a try they have a word at the beginning, in the middle and at the end, which the
//! model repeats when it is asked for. A made-up conversation comes before the question, because a long one can push the rules out
//! of a model's memory.

use super::record::CheckWords;
use crate::kernel::host::language::Language;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::words::caseless;

/// The maximum length of the made-up conversation, in bytes.
pub const LONGEST_HISTORY: u64 = 64 * 1024;

/// Words that no rules have, and no model guesses.
const WORDS: [&str; 24] = [
    "marzipan",
    "lanternfish",
    "bagpipe",
    "quokka",
    "tambourine",
    "hazelnut",
    "periscope",
    "cinnamon",
    "walnut",
    "trombone",
    "origami",
    "pumpernickel",
    "gazebo",
    "dandelion",
    "kayak",
    "mandolin",
    "papaya",
    "snorkel",
    "thimble",
    "umbrella",
    "velvet",
    "waffle",
    "zeppelin",
    "paprika",
];

/// The words of one try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words([&'static str; 3]);

impl Words {
    pub fn new(rng: &Randomness) -> Self {
        let bytes = rng.bytes();
        let mut left = WORDS.to_vec();
        let mut words = ["", "", ""];
        for (word, byte) in words.iter_mut().zip(bytes) {
            *word = left.remove(usize::from(byte) % left.len());
        }
        Self(words)
    }

    /// The rules with the words in them.
    pub fn in_rules(&self, rules: &str) -> String {
        let Self([first, middle, last]) = self;
        let half = rules.floor_char_boundary(rules.len() / 2);
        let space = rules[half..].find(char::is_whitespace);
        let place = space.map_or(rules.len(), |space| half + space);
        let (before, behind) = rules.split_at(place);
        format!(
            "The first check word is \"{first}\". If you are asked for the check words, say all three.\n\n\
             {before} (The second check word is \"{middle}\".){behind}\n\n\
             The third check word is \"{last}\"."
        )
    }

    /// Which of them an answer contains. None if it contains more of [`WORDS`] than three: then it guesses.
    pub fn in_answer(&self, answer: &str, history_bytes: u64) -> CheckWords {
        let answer = caseless(answer);
        let Self([first, middle, last]) = self;
        // Who says other words of the list, too, may not have read these.
        let said = WORDS.iter().filter(|word| answer.contains(**word)).count();
        let is_guess = said > self.0.len();
        let has = |word: &str| !is_guess && answer.contains(word);
        CheckWords {
            beginning: has(first),
            middle: has(middle),
            end: has(last),
            history_bytes,
        }
    }
}

/// What asks for the words.
pub fn question(language: Language) -> &'static str {
    match language {
        Language::En => "What are the three check words? Please say all three.",
        Language::De => "Wie heißen die drei Prüfwörter (check words)? Bitte sag alle drei.",
        Language::Fr => {
            "Quels sont les trois mots de contrôle (check words) ? Dis-les tous les trois."
        }
        Language::Es => {
            "¿Cuáles son las tres palabras de control (check words)? Di las tres, por favor."
        }
    }
}

/// A made-up conversation of about so many bytes: what each side says, the child first.
pub fn history(language: Language, bytes: u64) -> Vec<(&'static str, String)> {
    let mut history = Vec::new();
    let (mut length, mut number) = (0, 1_u64);
    while length < bytes.min(LONGEST_HISTORY) {
        let (ask, answer) = counting(language, number);
        length += (ask.len() + answer.len()) as u64;
        history.push(("user", ask));
        history.push(("assistant", answer));
        number += 1;
    }
    history
}

fn counting(language: Language, number: u64) -> (String, String) {
    let counted = (1..=5).map(|step| (number * 10 + step).to_string());
    let counted = counted.collect::<Vec<_>>().join(", ");
    let ten = number * 10;
    match language {
        Language::En => (
            format!("Can you count on from {ten} with me?"),
            format!("Sure! After {ten} we say {counted}. Well done, now it's your turn."),
        ),
        Language::De => (
            format!("Zählst du mit mir ab {ten} weiter?"),
            format!("Klar! Nach {ten} kommen {counted}. Gut gemacht, jetzt bist du dran."),
        ),
        Language::Fr => (
            format!("Tu comptes avec moi à partir de {ten} ?"),
            format!("Bien sûr ! Après {ten}, on dit {counted}. Bravo, à toi maintenant."),
        ),
        Language::Es => (
            format!("¿Cuentas conmigo a partir de {ten}?"),
            format!("¡Claro! Después de {ten} vienen {counted}. Muy bien, ahora te toca a ti."),
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_words_stand_at_the_beginning_in_the_middle_and_at_the_end() {
        let rng = Randomness::repeatable();
        for rules in ["", "One rule.", &"A rule with umlauts: ä. ".repeat(300)] {
            let words = Words::new(&rng);
            let Words(all) = &words;
            let with = words.in_rules(rules);

            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 3);
            let places = all.map(|word| with.find(word).unwrap());
            assert!(places.is_sorted());
            let third = with.len() / 3;
            if rules.len() > 1_000 {
                assert!(places[0] < third && places[2] > 2 * third);
                assert!((third..2 * third).contains(&places[1]));
            }
            let said = words.in_answer(&all.join(", ").to_uppercase(), 9);
            assert!(said.has_all());
            let said = words.in_answer(all[1], 9);
            assert_eq!(
                (said.beginning, said.middle, said.end),
                (false, true, false)
            );
            let guessed = words.in_answer(&WORDS.join(", "), 9);
            assert!(!guessed.beginning && !guessed.middle && !guessed.end);
        }
    }

    #[test]
    fn a_made_up_conversation_is_as_long_as_asked_and_has_no_check_word() {
        for language in Language::ALL {
            for bytes in [0, 1, 5_000, LONGEST_HISTORY, 10 * LONGEST_HISTORY] {
                let history = history(language, bytes);
                let length = history
                    .iter()
                    .map(|(_, text)| text.len() as u64)
                    .sum::<u64>();

                let most = bytes.min(LONGEST_HISTORY);
                assert!((most..most + 400).contains(&length), "{bytes} {length}");
                assert_eq!(history.len() % 2, 0);
                let texts = history.iter().map(|(_, text)| text.as_str());
                let text = texts.collect::<String>();
                assert!(WORDS.iter().all(|word| !text.contains(word)));
            }
        }
    }
}
