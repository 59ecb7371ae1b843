//! The addresses at which a family reaches this server: one by plain http at home, and perhaps a name with a certificate.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use super::public_url::PublicUrl;

/// Whether the home's name can be used now, as far as its certificate and the DNS provider say. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct NameStatus {
    usability: Arc<RwLock<Usability>>,
    reached: Arc<AtomicBool>,
}

/// Neither, until it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usability {
    pub certificate_is_valid: bool,
    pub leads_here: bool,
}

/// Why a home's name can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum NameFault {
    /// There is no certificate for it that is valid now.
    Certificate,
    /// As the DNS provider says, it leads to another computer.
    LeadsElsewhere,
}

impl NameStatus {
    pub fn get(&self) -> Usability {
        *self
            .usability
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the name can't be used, if it can't.
    pub fn fault(&self) -> Option<NameFault> {
        let now = self.get();
        if !now.certificate_is_valid {
            Some(NameFault::Certificate)
        } else if !now.leads_here {
            Some(NameFault::LeadsElsewhere)
        } else {
            None
        }
    }

    pub fn is_usable(&self) -> bool {
        self.fault().is_none()
    }

    /// Whether a device at home reached the name since this machine has its address: some routers filter names that lead home.
    pub fn was_reached(&self) -> bool {
        self.reached.load(Ordering::Relaxed)
    }

    pub fn note_reached(&self) {
        self.reached.store(true, Ordering::Relaxed);
    }

    /// In another network another router answers.
    pub fn forget_reached(&self) {
        self.reached.store(false, Ordering::Relaxed);
    }

    pub fn set(&self, usability: Usability) {
        *self
            .usability
            .write()
            .unwrap_or_else(PoisonError::into_inner) = usability;
    }
}

/// The home's name for https.
#[derive(Clone, Debug)]
pub struct NamedAddress {
    pub url: PublicUrl,
    pub status: NameStatus,
}

/// The plain HTTP address, and the domain name for HTTPS if one is configured. Clones share the name's status.
#[derive(Clone, Debug)]
pub struct Addresses {
    pub plain: PublicUrl,
    pub named: Option<NamedAddress>,
}

impl Addresses {
    /// The address that links in e-mails and codes to scan begin with: the name while it can be used, once a device at home has
    /// reached it.
    pub fn for_links(&self) -> &PublicUrl {
        let named = self.named.as_ref();
        let named = named.filter(|it| it.status.is_usable() && it.status.was_reached());
        named.map_or(&self.plain, |it| &it.url)
    }

    /// The https address, also while it can't be used.
    pub fn https(&self) -> Option<&PublicUrl> {
        let named = self.named.as_ref().map(|named| &named.url);
        let mut all = named.into_iter().chain([&self.plain]);
        all.find(|url| url.is_https())
    }
}

impl From<PublicUrl> for Addresses {
    fn from(plain: PublicUrl) -> Self {
        Self { plain, named: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_begin_with_the_name_while_it_can_be_used_and_once_a_device_reached_it() {
        let status = NameStatus::default();
        let addresses = Addresses {
            plain: "http://192.168.1.20:8080".parse().unwrap(),
            named: Some(NamedAddress {
                url: "https://blue-lamp.dedyn.io:8443".parse().unwrap(),
                status: status.clone(),
            }),
        };
        for (certificate_is_valid, leads_here) in
            [(false, false), (true, false), (false, true), (true, true)]
        {
            status.set(Usability {
                certificate_is_valid,
                leads_here,
            });
            assert!(!addresses.for_links().is_https());
            status.note_reached();
            let is_named = addresses.for_links().is_https();
            assert_eq!(is_named, certificate_is_valid && leads_here);
            status.forget_reached();
        }
    }
}
