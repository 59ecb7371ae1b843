//! Pages of the plain address in a browser whose guardian uses the name: a link to the name, or why it can't be used.
//!
//! The browser has a cookie of that, which the refusal of a token set. Whoever wants to use the plain address nevertheless, as
//! another guardian on the same device, follows a link that removes it.

use poem::http::{HeaderValue, Method, StatusCode, header};
use poem::{Request, Response};

use super::address::below_api;
use super::error_page::{self, page, response};
use crate::identity::api::is_beside_name;
use crate::kernel::host::addresses::NamedAddress;
use crate::kernel::http::origin::AtName;

/// The query that removes the cookies.
const STAY: &str = "stay-here";

/// Removes the cookie that brings these pages.
const WITHOUT_PAGE: &str = "porchlight_beside_name=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0";

/// The page instead of the app; `None` if the request is another.
pub fn answer(named: Option<&NamedAddress>, request: &Request) -> Option<Response> {
    let named = named?;
    let accepts = request.header(header::ACCEPT)?;
    let is_page = *request.method() == Method::GET
        && accepts.contains("text/html")
        && below_api(request.uri().path()).is_none()
        && request.data::<AtName>().is_none();
    if !is_page || !is_beside_name(request.headers()) {
        return None;
    }
    if request.uri().query() == Some(STAY) {
        let mut stay = Response::builder()
            .status(StatusCode::SEE_OTHER)
            .header(header::LOCATION, "/")
            .finish();
        let without = HeaderValue::from_static(WITHOUT_PAGE);
        stay.headers_mut().insert(header::SET_COOKIE, without);
        return Some(stay);
    }
    let url = &named.url;
    let now = named.status.get();
    let (heading, text) = if named.status.is_usable() {
        (
            "Porchlight is at another address",
            format!(
                "<p>You have signed in at <a href=\"{url}\">{url}</a>. Please open it there: your connection is encrypted then.</p>\
                 <p>Are you somebody else? <a href=\"/?{STAY}\">Use this address</a></p>"
            ),
        )
    } else {
        let why = if now.certificate_is_valid {
            "it leads to another computer now"
        } else {
            "its certificate isn't valid now"
        };
        (
            "You can use this address for now",
            format!(
                "<p>You have signed in at {url}, but {why}. The person who set up this server can find out more with \
                 <code>porchlight check</code>.</p>\
                 <p>Until then this address is open for you again. It isn't encrypted: whoever listens on the Wi-Fi can read along. \
                 <a href=\"/?{STAY}\">Use this address</a></p>"
            ),
        )
    };
    let html = page("Another address", heading, &text);
    Some(response(StatusCode::OK, &error_page::policy(""), html))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::addresses::{NameStatus, Usability};

    fn ask(named: &NamedAddress, uri: &str, cookie: &str, accept: &str) -> Option<Response> {
        let request = Request::builder()
            .uri(uri.parse().unwrap())
            .header(header::COOKIE, cookie)
            .header(header::ACCEPT, accept)
            .finish();
        answer(Some(named), &request)
    }

    #[tokio::test]
    async fn a_guardian_of_the_name_gets_a_link_and_learns_why_it_cant_be_used() {
        let status = NameStatus::default();
        let named = NamedAddress {
            url: "https://blue-lamp.dedyn.io:8443".parse().unwrap(),
            status: status.clone(),
        };
        let cookie = "porchlight_beside_name=1";
        let (page, data) = ("text/html,*/*", "application/json");
        for (certificate_is_valid, leads_here, words) in [
            (true, true, "href=\"https://blue-lamp.dedyn.io:8443\""),
            (false, true, "its certificate isn't valid now"),
            (true, false, "it leads to another computer now"),
        ] {
            status.set(Usability {
                certificate_is_valid,
                leads_here,
            });
            let answer = ask(&named, "/child/1/summary", cookie, page).unwrap();
            let html = answer.into_body().into_string().await.unwrap();
            assert!(html.contains(words), "{html}");
        }

        assert!(ask(&named, "/", "", page).is_none());
        assert!(ask(&named, "/", cookie, data).is_none());
        assert!(ask(&named, "/api/children", cookie, page).is_none());
        let stay = ask(&named, "/?stay-here", cookie, page).unwrap();
        assert_eq!(stay.status(), StatusCode::SEE_OTHER);
        assert_eq!(stay.headers()[header::SET_COOKIE], WITHOUT_PAGE);
    }
}
