//! Words of messages and of the lists, in the form in which they are compared.

use std::ops::Range;

use crate::kernel::host::words::fold;

pub struct Word {
    /// Where it is in the text, in bytes.
    pub range: Range<usize>,
    pub folded: String,
}

pub fn split(text: &str) -> Vec<Word> {
    // A combining mark belongs to its letter.
    let is_letter = |character: char| {
        character.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&character)
    };
    let mut words = Vec::new();
    let mut start = None;
    for (position, character) in text.char_indices().chain([(text.len(), ' ')]) {
        if is_letter(character) {
            start.get_or_insert(position);
        } else if let Some(begun) = start.take() {
            words.push(Word {
                range: begun..position,
                folded: fold(&text[begun..position]),
            });
        }
    }
    words
}

/// The words with a space between them.
pub fn joined(words: &[Word]) -> String {
    let words: Vec<_> = words.iter().map(|word| word.folded.as_str()).collect();
    words.join(" ")
}
