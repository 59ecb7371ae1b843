//! The part of a seed file about assistants that guardians no longer use.

use super::alerts::nobody;
use super::{ChildSeed, Mistake, Step};

pub(super) fn check_child(child: &ChildSeed) -> Option<Mistake> {
    let mut seeds = child.not_in_use.iter().enumerate();
    seeds.find_map(|(position, seed)| {
        let name = seed.assistant.trim();
        let mut assistants = child.assistants.iter();
        let is_there = assistants.any(|assistant| assistant.name.trim() == name);
        let not_there = || format!("no assistant of this child has the name {name}");
        let sentence = nobody(child, &seed.guardian).or_else(|| (!is_there).then(not_there))?;
        let path = [Step::Field("not_in_use"), Step::Item(position)];
        Some(Mistake::new(path, sentence))
    })
}
