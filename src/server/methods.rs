//! The methods of each API path, for the `Allow` header that a 405 requires (RFC 9110, section 15.5.6), and whether they
//! need a credential. They are read from the contract, so they always agree with the router.

use poem::http::Method;
use serde_json::Value;

use super::address::API;

/// The paths of the contract with their methods.
#[derive(Debug)]
pub struct Methods {
    addresses: Vec<Address>,
}

#[derive(Debug)]
struct Address {
    segments: Vec<String>,
    allowed: String,
    methods: Vec<(String, Access)>,
}

/// Who may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Public,
    /// Callers with a credential.
    Credential,
}

impl Methods {
    /// Reads them from the contract, as JSON.
    pub fn of(contract: &str) -> Self {
        let contract = serde_json::from_str::<Value>(contract).expect("the contract is JSON");
        let paths = contract["paths"].as_object().into_iter().flatten();
        let addresses = paths.map(|(path, item)| {
            let operations = item.as_object().into_iter().flatten();
            let methods = operations.map(|(method, operation)| {
                let is_public = operation["security"].as_array().is_some_and(Vec::is_empty);
                let access = if is_public {
                    Access::Public
                } else {
                    Access::Credential
                };
                (method.to_uppercase(), access)
            });
            let methods = methods.collect::<Vec<_>>();
            let names = methods.iter().map(|(method, _)| method.as_str());
            Address {
                segments: format!("{API}{path}")
                    .split('/')
                    .map(str::to_owned)
                    .collect(),
                allowed: names.collect::<Vec<_>>().join(", "),
                methods,
            }
        });
        Self {
            addresses: addresses.collect(),
        }
    }

    /// These methods of these paths, which all need a credential.
    pub fn listed(operations: &[(&str, &str)]) -> Self {
        let addresses = operations.iter().map(|(method, path)| Address {
            segments: path.split('/').map(str::to_owned).collect(),
            allowed: (*method).to_owned(),
            methods: vec![((*method).to_owned(), Access::Credential)],
        });
        Self {
            addresses: addresses.collect(),
        }
    }

    /// The path's methods as an `Allow` header; `None` if the path is unknown.
    pub fn at(&self, path: &str) -> Option<&str> {
        self.find(path).map(|address| address.allowed.as_str())
    }

    /// Who may call the operation; `None` if it doesn't exist.
    pub fn access(&self, method: &Method, path: &str) -> Option<Access> {
        let mut methods = self.find(path)?.methods.iter();
        let found = methods.find(|(known, _)| known == method.as_str());
        found.map(|(_, access)| *access)
    }

    fn find(&self, path: &str) -> Option<&Address> {
        let path = path.split('/').collect::<Vec<_>>();
        let fits = |known: &[String]| {
            let mut pairs = known.iter().zip(&path);
            known.len() == path.len()
                && pairs.all(|(known, given)| known.starts_with('{') || known == given)
        };
        self.addresses
            .iter()
            .find(|address| fits(&address.segments))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_tells_its_methods() {
        let contract = serde_json::json!({"paths": {
            "/children": {"get": {}},
            "/child/{childId}/blocked_topics": {"get": {}, "put": {}},
        }});
        let methods = Methods::of(&contract.to_string());

        assert_eq!(methods.at("/api/children"), Some("GET"));
        assert_eq!(methods.at("/api/child/7/blocked_topics"), Some("GET, PUT"));
        assert_eq!(methods.at("/api/child/7"), None);
    }

    #[test]
    fn an_operation_is_public_if_the_contract_says_that_it_takes_no_credential() {
        let contract = serde_json::json!({"paths": {
            "/auth/link": {"post": {"security": []}},
            "/child/{childId}": {"get": {"security": [{"guardian": []}]}, "put": {}},
        }});
        let methods = Methods::of(&contract.to_string());
        let cases = [
            (Method::POST, "/api/auth/link", Some(Access::Public)),
            (Method::GET, "/api/auth/link", None),
            (Method::GET, "/api/child/7", Some(Access::Credential)),
            (Method::PUT, "/api/child/7", Some(Access::Credential)),
            (Method::PUT, "/api/child", None),
        ];

        for (method, path, expected) in cases {
            assert_eq!(methods.access(&method, path), expected, "{method} {path}");
        }
    }
}
