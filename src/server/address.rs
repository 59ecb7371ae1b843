//! The path of the API: `/api`, which the contract names once, as its server URL.

use std::collections::HashMap;

use poem::endpoint::BoxEndpoint;
use poem::http::Method;
use poem_openapi::OpenApi;
use poem_openapi::registry::{MetaApi, Registry};

/// The prefix of the API's paths.
pub const API: &str = "/api";

/// The part of a path after `/api`, if it is one of the API's.
pub fn below_api(path: &str) -> Option<&str> {
    let rest = path.strip_prefix(API)?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// Merges the operations of several features at the same path, because the contract must name each path once.
fn join_paths(mut apis: Vec<MetaApi>) -> Vec<MetaApi> {
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

/// Operations that the contract describes by their paths after `/api`, and that are routed by their whole paths: poem's `nest`
/// takes a request's path apart and builds it anew.
pub struct BelowApi<T>(pub T);

impl<T: OpenApi> OpenApi for BelowApi<T> {
    /// Only a debug build derives the contract. In others this would be half a megabyte of code for a check that is done there.
    fn meta() -> Vec<MetaApi> {
        if cfg!(debug_assertions) {
            join_paths(T::meta())
        } else {
            Vec::new()
        }
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn add_routes(self, routes: &mut HashMap<String, HashMap<Method, BoxEndpoint<'static>>>) {
        let mut below = HashMap::new();
        self.0.add_routes(&mut below);
        let whole = |(path, methods)| (format!("{API}{path}"), methods);
        routes.extend(below.into_iter().map(whole));
    }
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
