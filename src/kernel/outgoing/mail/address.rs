//! E-mail addresses that are safe to put on an SMTP line.
//!
//! RFC 5321 allows far more than anyone types: quoted local parts, comments, address
//! literals. Only the plain form is accepted: `dot-atom@domain.tld`, all ASCII. An international
//! domain is accepted in its `xn--…` form, which is what mail servers exchange anyway.

use std::{
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
};

use serde::{Deserialize, Serialize};

/// The longest address a mail server must accept (RFC 5321 §4.5.3.1.3, less the two brackets).
const MAX_ADDRESS: usize = 254;
/// The longest part before the `@` (RFC 5321 §4.5.3.1.1).
const MAX_LOCAL: usize = 64;
/// The longest label between two dots of a domain (RFC 1035 §2.3.4).
const MAX_LABEL: usize = 63;

/// A valid e-mail address, spelled as it was typed.
///
/// Addresses that differ only in case are equal: no mail provider that a family is likely to use tells them apart, and
/// phones capitalise the first character. `Debug` is redacted, because logs must not name anybody; `Display` shows the address.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EmailAddress(String);

/// Why a text is not an e-mail address, in words for the person who typed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidEmail {
    #[error("Please enter an e-mail address.")]
    Empty,
    #[error("This e-mail address is too long.")]
    TooLong,
    #[error("This does not look like an e-mail address. It should look like name@example.com.")]
    Malformed,
    #[error("Please write the e-mail address with plain letters, without accents or umlauts.")]
    NotAscii,
}

impl EmailAddress {
    /// The address as it was typed, without surrounding white space.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The lower-case form, under which the address is stored and compared.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// The part after the `@`.
    #[must_use]
    pub fn domain(&self) -> &str {
        self.0.rsplit_once('@').map_or("", |(_, domain)| domain)
    }
}

impl FromStr for EmailAddress {
    type Err = InvalidEmail;

    fn from_str(typed: &str) -> Result<Self, InvalidEmail> {
        // Rust's white space lacks U+FEFF, which ECMAScript's `trim` removes.
        let address = typed.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if address.is_empty() {
            return Err(InvalidEmail::Empty);
        }
        if address.len() > MAX_ADDRESS {
            return Err(InvalidEmail::TooLong);
        }
        if !address.is_ascii() {
            return Err(InvalidEmail::NotAscii);
        }
        let (local, domain) = address.split_once('@').ok_or(InvalidEmail::Malformed)?;
        if local.len() > MAX_LOCAL {
            return Err(InvalidEmail::TooLong);
        }
        if is_dot_atom(local) && is_domain(domain) {
            Ok(Self(address.to_owned()))
        } else {
            Err(InvalidEmail::Malformed)
        }
    }
}

/// `dot-atom-text` of RFC 5322 §3.2.3: neither quotes nor brackets nor spaces.
fn is_dot_atom(local: &str) -> bool {
    local.split('.').all(|atom| {
        !atom.is_empty()
            && atom
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b))
    })
}

/// A dotted host name whose last label isn't a number (that would be an IPv4 address), or
/// `localhost`, which the demonstration and tests use.
fn is_domain(domain: &str) -> bool {
    let is_label = |label: &str| {
        (1..=MAX_LABEL).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let Some((_, last)) = domain.rsplit_once('.') else {
        return domain.eq_ignore_ascii_case("localhost");
    };
    domain.split('.').all(is_label) && !last.bytes().all(|b| b.is_ascii_digit())
}

impl PartialEq for EmailAddress {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for EmailAddress {}

impl Hash for EmailAddress {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EmailAddress(…)")
    }
}

impl TryFrom<String> for EmailAddress {
    type Error = InvalidEmail;

    fn try_from(typed: String) -> Result<Self, InvalidEmail> {
        typed.parse()
    }
}

impl From<EmailAddress> for String {
    fn from(address: EmailAddress) -> Self {
        address.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn plain_addresses_are_accepted_and_trimmed() {
        let longest_local = format!("{}@example.org", "a".repeat(64));
        let longest_label = format!("a@{}.org", "b".repeat(63));
        for (typed, kept) in [
            ("anna@example.org", "anna@example.org"),
            (" \t\u{feff}anna@example.org\r\n", "anna@example.org"),
            (
                "Anna.Lee+home@Mail.Example.ORG",
                "Anna.Lee+home@Mail.Example.ORG",
            ),
            ("o'brien@example.ie", "o'brien@example.ie"),
            (
                "!#$%&'*+-/=?^_`{|}~@example.org",
                "!#$%&'*+-/=?^_`{|}~@example.org",
            ),
            ("parent@localhost", "parent@localhost"),
            ("a@xn--mller-kva.example", "a@xn--mller-kva.example"),
            ("a@1.example", "a@1.example"),
            (&longest_local, &longest_local),
            (&longest_label, &longest_label),
        ] {
            assert_eq!(
                typed
                    .parse::<EmailAddress>()
                    .as_ref()
                    .map(EmailAddress::as_str),
                Ok(kept),
                "{typed:?}"
            );
        }
    }

    #[test]
    fn everything_else_is_refused_with_its_reason() {
        use InvalidEmail::{Empty, Malformed, NotAscii, TooLong};
        let long_local = format!("{}@example.org", "a".repeat(65));
        let long_label = format!("a@{}.org", "b".repeat(64));
        let long_address = format!("a@{}org", "bbbbbbbbb.".repeat(26));
        for (typed, reason) in [
            ("", Empty),
            (" \n\u{feff}", Empty),
            ("anna", Malformed),
            ("anna@", Malformed),
            ("@example.org", Malformed),
            ("anna@example", Malformed),
            ("anna@@example.org", Malformed),
            ("anna@home@example.org", Malformed),
            ("anna lee@example.org", Malformed),
            ("anna@exa mple.org", Malformed),
            (".anna@example.org", Malformed),
            ("anna.@example.org", Malformed),
            ("an..na@example.org", Malformed),
            ("anna@.example.org", Malformed),
            ("anna@example.org.", Malformed),
            ("anna@example..org", Malformed),
            ("anna@-example.org", Malformed),
            ("anna@example-.org", Malformed),
            ("anna@exam_ple.org", Malformed),
            ("anna@127.0.0.1", Malformed),
            ("anna@[127.0.0.1]", Malformed),
            ("<anna@example.org>", Malformed),
            ("anna@example.org>\r\nRCPT TO:<eve@example.org", Malformed),
            ("anna\0@example.org", Malformed),
            ("anna@example.org\u{7f}", Malformed),
            ("\"anna\"@example.org", Malformed),
            ("anna(home)@example.org", Malformed),
            ("anna,eve@example.org", Malformed),
            ("anna@example.org,eve@example.org", Malformed),
            ("anna:eve;@example.org", Malformed),
            ("anna\\@example.org", Malformed),
            ("müller@example.org", NotAscii),
            ("anna@müller.example", NotAscii),
            ("anna\u{200b}@example.org", NotAscii),
            (&long_local, TooLong),
            (&long_label, Malformed),
            (&long_address, TooLong),
        ] {
            assert_eq!(typed.parse::<EmailAddress>(), Err(reason), "{typed:?}");
        }
    }

    #[test]
    fn spellings_that_differ_only_in_case_are_one_address() {
        let spellings: HashSet<EmailAddress> = ["Anna@Example.org", "anna@example.ORG"]
            .map(|typed| typed.parse().unwrap())
            .into();

        assert_eq!(spellings.len(), 1);
        assert_eq!(spellings.iter().next().unwrap().key(), "anna@example.org");
    }

    #[test]
    fn json_keeps_the_spelling_and_refuses_what_is_not_an_address() {
        let address: EmailAddress = serde_json::from_str("\" Anna@Example.org\"").unwrap();

        assert_eq!(
            serde_json::to_string(&address).unwrap(),
            "\"Anna@Example.org\""
        );
        assert_eq!(address.domain(), "Example.org");
        assert!(serde_json::from_str::<EmailAddress>("\"anna\"").is_err());
    }
}
