//! The two cookies: what mints identity tokens, and what belongs to a sign-in under way at the provider.
//!
//! On https their names begin with `__Secure-`, so that a browser takes them from https alone
//! (draft-ietf-httpbis-rfc6265bis, section 4.1.3): nobody on the network can plant one. A page on a neighbouring name,
//! such as `other.example.org` beside `porchlight.example.org`, still can, for both names; then the browser sends two,
//! in an order that the planter chooses, and nothing says which is ours. So two cookies of one name are both ignored.
//! Ours stays, and is valid again once the other is gone.

use std::time::Duration;

use cookie::{Cookie, SameSite};
use poem::Request;
use poem::http::header;

use crate::identity::Identity;
use crate::identity::provider::FLOW_LIFE;

/// A cookie of ours. No script gets to see it.
pub struct OurCookie {
    name: &'static str,
    path: &'static str,
    same_site: SameSite,
    life: fn(&Identity) -> Duration,
}

/// Mints identity tokens. Only the sign-in calls get to see it, and no other site can make a browser send it.
pub const SIGN_IN: OurCookie = OurCookie {
    name: "porchlight_sign_in",
    path: "/api/auth",
    same_site: SameSite::Strict,
    life: |identity| identity.sign_ins.lifetime(),
};

/// A sign-in that is under way at the provider. The provider's page sends the browser back to us, which
/// `Strict` would let come without it.
pub const FLOW: OurCookie = OurCookie {
    name: "porchlight_provider_flow",
    path: "/api/auth/oidc",
    same_site: SameSite::Lax,
    life: |_| FLOW_LIFE,
};

impl OurCookie {
    /// The `Set-Cookie` that hands it out.
    pub fn holding(&self, value: &str, identity: &Identity) -> String {
        self.set(value, (self.life)(identity), identity)
    }

    /// The `Set-Cookie` that takes it back.
    pub fn taken_back(&self, identity: &Identity) -> String {
        self.set("", Duration::ZERO, identity)
    }

    fn name(&self, identity: &Identity) -> String {
        let prefix = match identity.public_url().is_https() {
            true => "__Secure-",
            false => "",
        };
        format!("{prefix}{}", self.name)
    }

    fn set(&self, value: &str, life: Duration, identity: &Identity) -> String {
        let seconds = i64::try_from(life.as_secs()).expect("four hundred days are few seconds");
        Cookie::build((self.name(identity), value))
            .path(self.path)
            .http_only(true)
            .same_site(self.same_site)
            .secure(identity.public_url().is_https())
            .max_age(cookie::time::Duration::seconds(seconds))
            .build()
            .to_string()
    }

    /// What a request brings back, if it is one. Empty ones are none.
    pub fn sent_with(&self, request: &Request, identity: &Identity) -> Option<String> {
        let mut sent = self.all_sent_with(request, identity).into_iter();
        match (sent.next(), sent.next()) {
            (one, None) => one,
            (_, Some(_)) => None,
        }
    }

    /// All that a request brings back under this name.
    pub fn all_sent_with(&self, request: &Request, identity: &Identity) -> Vec<String> {
        let name = self.name(identity);
        let sent = request.headers().get_all(header::COOKIE).iter();
        sent.filter_map(|line| line.to_str().ok())
            .flat_map(Cookie::split_parse)
            .flatten()
            .filter(|cookie| cookie.name() == name && !cookie.value().is_empty())
            .map(|cookie| cookie.value().to_owned())
            .collect()
    }
}
