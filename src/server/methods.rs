//! The methods of each API path, for the `Allow` header that a 405 requires (RFC 9110, section 15.5.6). They are read from the
//! contract, so they always agree with the router.

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
}

impl Methods {
    /// Reads them from the contract, as JSON.
    pub fn of(contract: &str) -> Self {
        let contract = serde_json::from_str::<Value>(contract).expect("the contract is JSON");
        let paths = contract["paths"].as_object().into_iter().flatten();
        let addresses = paths.map(|(path, item)| {
            let methods = item.as_object().into_iter().flatten();
            let names = methods.map(|(method, _)| method.to_uppercase());
            Address {
                segments: format!("{API}{path}")
                    .split('/')
                    .map(str::to_owned)
                    .collect(),
                allowed: names.collect::<Vec<_>>().join(", "),
            }
        });
        Self {
            addresses: addresses.collect(),
        }
    }

    /// These methods of these paths.
    pub fn listed(operations: &[(&str, &str)]) -> Self {
        let addresses = operations.iter().map(|(method, path)| Address {
            segments: path.split('/').map(str::to_owned).collect(),
            allowed: (*method).to_owned(),
        });
        Self {
            addresses: addresses.collect(),
        }
    }

    /// The path's methods as an `Allow` header; `None` if the path is unknown.
    pub fn at(&self, path: &str) -> Option<&str> {
        self.find(path).map(|address| address.allowed.as_str())
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
}
