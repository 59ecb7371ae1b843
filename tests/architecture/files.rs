//! The dependency graph of files.
//!
//! A path is resolved through re-exports to the declaring file. Uses of enclosing modules don't count, because the files of a
//! feature share those. Only paths are seen, not method calls.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Source;
use super::names::module_of;

/// Returns the files that form cycles, each with the files that it uses.
pub fn in_cycles<'a>(sources: &[&'a Source]) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let files = sources
        .iter()
        .map(|source| (module_of(&source.path), *source))
        .collect::<HashMap<_, _>>();
    let mut uses = BTreeMap::new();
    for (module, source) in &files {
        let used = source.uses.iter().filter_map(|path| file_of(path, &files));
        let used = used.filter(|used| !module.starts_with(&module_of(used)));
        uses.insert(source.path.as_str(), used.collect::<BTreeSet<_>>());
    }
    loop {
        let users = uses.values().flatten().copied().collect::<BTreeSet<_>>();
        let before = uses.len();
        uses.retain(|file, used| !used.is_empty() && users.contains(file));
        if uses.len() == before {
            return uses;
        }
        let left = uses.keys().copied().collect::<BTreeSet<_>>();
        for used in uses.values_mut() {
            used.retain(|file| left.contains(file));
        }
    }
}

/// The file that declares what a path names; `None` for a library.
fn file_of<'a>(path: &[String], files: &HashMap<Vec<String>, &'a Source>) -> Option<&'a str> {
    let mut path = path.to_vec();
    loop {
        let (depth, file) = (1..=path.len())
            .rev()
            .find_map(|depth| Some((depth, *files.get(&path[..depth])?)))?;
        let export = path.get(depth).and_then(|name| file.exports.get(name));
        match export {
            Some(target) if *target != path[..=depth] => {
                path = [target, &path[depth + 1..]].concat();
            }
            _ => return Some(&file.path),
        }
    }
}
