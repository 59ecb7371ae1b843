//! The path of the API: `/api`, which the contract names once, as its server URL.

use std::collections::HashMap;

use poem_openapi::registry::MetaApi;

/// The prefix of the API's paths.
pub const API: &str = "/api";

/// The part of a path after `/api`, if it is one of the API's.
pub fn below_api(path: &str) -> Option<&str> {
    let rest = path.strip_prefix(API)?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// Merges the operations of several features at the same path, because the contract must name each path once.
pub fn join_paths(mut apis: Vec<MetaApi>) -> Vec<MetaApi> {
    let mut first = HashMap::new();
    let mut later = Vec::new();
    for (number, api) in apis.iter_mut().enumerate() {
        let (own, others) = std::mem::take(&mut api.paths)
            .into_iter()
            .partition(|path| *first.entry(path.path.clone()).or_insert(number) == number);
        api.paths = own;
        later.extend::<Vec<_>>(others);
    }
    for path in later {
        let owner = &mut apis[first[&path.path]].paths;
        if let Some(own) = owner.iter_mut().find(|own| own.path == path.path) {
            own.operations.extend(path.operations);
        }
    }
    apis
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_the_apis_by_its_whole_first_segment() {
        let cases = [
            ("/api/children", Some("/children")),
            ("/api", Some("")),
            ("/api/", Some("/")),
            ("/api//children", Some("//children")),
            ("/apiary", None),
            ("/", None),
            ("/login/api", None),
        ];

        for (path, expected) in cases {
            assert_eq!(below_api(path), expected, "{path}");
        }
    }
}
