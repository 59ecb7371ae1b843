//! Serves the React app that is embedded in the binary: the built files under their own names, and
//! its page under every other path, so that a link into the app works after a reload.
//!
//! Files under `/assets/` have a hash of their contents in their names, so browsers cache them for
//! a year; a missing one is answered with 404, because a page in its place would be cached as a script.
//! The other files (icons, manifest) are revalidated each time and answered with 304. The page
//! itself is never cached: it names the hashed files, and must match this binary.
//!
//! All files are in a table that is built at start, and a path is only ever looked up in it: no path
//! is joined, so path traversal is impossible.
//!
//! Files that the build has compressed are embedded only as gzip and brotli. The plain form is larger than both together and
//! rarely requested, so the first request for it decompresses it.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use bytes::Bytes;
use poem::http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, VARY,
};
use poem::http::{HeaderMap, HeaderValue, Method, StatusCode};
use poem::{Endpoint, Request, Response};
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use crate::kernel::host::embedded::unpacked;
use crate::kernel::http::wire::{IfNoneMatch, entity_tag};

const PAGE: &str = "index.html";
const HASHED: &str = "assets/";

/// The service worker.
const WORKER: &str = "worker.js";

/// A worker has the policy of its own script, not that of a page: this one loads the app's files and nothing else.
const WORKER_POLICY: &str = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

const FOREVER: &str = "public, max-age=31536000, immutable";
const ASK_EACH_TIME: &str = "no-cache";
const NEVER_STORED: &str = "no-store";

/// The output of `build.rs`: the built app, or a page that says that it was left out.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/ui"]
struct Embedded;

/// The endpoint for every path that is neither the API nor one of the server's own.
pub struct Ui {
    files: HashMap<String, File>,
}

/// One file in its encodings.
struct File {
    /// Decompressed from the gzipped form on first use, unless it was embedded.
    plain: OnceLock<Form>,
    gzip: Option<Form>,
    brotli: Option<Form>,
    content_type: HeaderValue,
    cache_control: HeaderValue,
    /// `None` for the policy that all such files have.
    policy: Option<HeaderValue>,
}

#[derive(Clone)]
struct Form {
    body: Bytes,
    /// Different for each encoding, because the entity tag is a strong one (RFC 9110, section 8.8.3.3).
    version: String,
}

impl Ui {
    /// The files that were embedded when the binary was built.
    pub fn embedded() -> Self {
        Self::from_files(Embedded::iter().filter_map(|path| {
            let file = Embedded::get(&path)?;
            let body = match file.data {
                Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                Cow::Owned(bytes) => Bytes::from(bytes),
            };
            Some((path.into_owned(), body, file.metadata.sha256_hash()))
        }))
    }

    /// Builds the table from files, given as path, contents and a hash of the contents.
    fn from_files(files: impl IntoIterator<Item = (String, Bytes, [u8; 32])>) -> Self {
        let mut forms: HashMap<String, Form> = files
            .into_iter()
            .map(|(path, body, hash)| {
                (
                    path,
                    Form {
                        body,
                        version: version(&hash),
                    },
                )
            })
            .collect();

        let names: BTreeSet<String> = forms.keys().map(|path| name(path).to_owned()).collect();
        let files = names
            .into_iter()
            .map(|name| {
                let file = File {
                    plain: forms
                        .remove(&name)
                        .map_or_else(OnceLock::new, OnceLock::from),
                    gzip: forms.remove(&format!("{name}.gz")),
                    brotli: forms.remove(&format!("{name}.br")),
                    content_type: HeaderValue::from_static(content_type(&name)),
                    cache_control: HeaderValue::from_static(cache_control(&name)),
                    policy: (name == WORKER).then(|| HeaderValue::from_static(WORKER_POLICY)),
                };
                (name, file)
            })
            .collect();
        Self { files }
    }

    fn find(&self, path: &str) -> Option<&File> {
        let path = path.strip_prefix('/').unwrap_or(path);
        match self.files.get(path) {
            None if path.starts_with(HASHED) => None,
            None => self.files.get(PAGE),
            found => found,
        }
    }
}

impl Endpoint for Ui {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        if *request.method() == Method::OPTIONS && request.uri().path() == "/" {
            let answer = Response::builder().status(StatusCode::NO_CONTENT);
            return Ok(answer.header(ALLOW, "GET, HEAD, OPTIONS").finish());
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let mut refusal = sentence(
                StatusCode::METHOD_NOT_ALLOWED,
                "This address can only be read.",
            );
            refusal
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            return Ok(refusal);
        }
        Ok(match self.find(request.uri().path()) {
            Some(file) => file.answer(request.headers(), request.method() == Method::HEAD),
            None => sentence(StatusCode::NOT_FOUND, "There is nothing at this address."),
        })
    }
}

impl File {
    fn answer(&self, asked: &HeaderMap, only_head: bool) -> Response {
        let (form, coding) = self.form_for(asked);

        let mut answer = Response::builder()
            .header(CACHE_CONTROL, self.cache_control.clone())
            .header(VARY, HeaderValue::from_static("Accept-Encoding"));
        if let Some(policy) = &self.policy {
            answer = answer.header(CONTENT_SECURITY_POLICY, policy.clone());
        }
        if self.cache_control != NEVER_STORED {
            answer = answer.header(ETAG, entity_tag(&form.version));
            if IfNoneMatch::of(asked).has(&form.version) {
                return answer.status(StatusCode::NOT_MODIFIED).finish();
            }
        }
        if let Some(coding) = coding {
            answer = answer.header(CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
        answer = answer
            .header(CONTENT_TYPE, self.content_type.clone())
            .header(CONTENT_LENGTH, HeaderValue::from(form.body.len()));
        if only_head {
            answer.finish()
        } else {
            answer.body(form.body.clone())
        }
    }

    /// The encoding that the client prefers; among equals, the smallest.
    fn form_for(&self, asked: &HeaderMap) -> (&Form, Option<&'static str>) {
        let liking = Liking::of(asked);
        let brotli = self.brotli.as_ref().map(|form| (liking.brotli, form, "br"));
        let gzip = self.gzip.as_ref().map(|form| (liking.gzip, form, "gzip"));

        let (mut most, mut best) = (liking.plain, None);
        for (liked, form, coding) in [gzip, brotli].into_iter().flatten() {
            if liked > 0 && liked >= most {
                (most, best) = (liked, Some((form, coding)));
            }
        }
        match best {
            Some((form, coding)) => (form, Some(coding)),
            None => (self.plain(), None),
        }
    }

    fn plain(&self) -> &Form {
        self.plain.get_or_init(|| {
            let gzip = self.gzip.as_ref();
            gzip.expect("the build leaves out the plain form only beside a gzipped one")
                .unpacked()
        })
    }
}

impl Form {
    /// Decompresses a gzipped form.
    fn unpacked(&self) -> Self {
        let body = unpacked(&self.body);
        Self {
            version: version(&Sha256::digest(&body).into()),
            body: Bytes::from(body),
        }
    }
}

/// A client's preference for each encoding, in thousandths (RFC 9110, section 12.5.3); 0 is a refusal.
struct Liking {
    brotli: u16,
    gzip: u16,
    plain: u16,
}

impl Liking {
    fn of(asked: &HeaderMap) -> Self {
        let (mut brotli, mut gzip, mut plain, mut others) = (None, None, None, None);
        let lines = asked.get_all(ACCEPT_ENCODING).iter();
        let lines = lines.filter_map(|line| line.to_str().ok());
        for item in lines.flat_map(|line| line.split(',')) {
            let (coding, weight) = item.split_once(';').unwrap_or((item, ""));
            let Some(weight) = thousandths(weight) else {
                continue;
            };
            match coding.trim().to_ascii_lowercase().as_str() {
                "br" => brotli = Some(weight),
                "gzip" | "x-gzip" => gzip = Some(weight),
                "identity" => plain = Some(weight),
                "*" => others = Some(weight),
                _ => {}
            }
        }
        Self {
            brotli: brotli.or(others).unwrap_or(0),
            gzip: gzip.or(others).unwrap_or(0),
            // A client that names codings prefers them; the plain form is still acceptable.
            plain: plain.or(others).unwrap_or(0),
        }
    }
}

/// Parses `q=0.5` as 500, nothing as 1000, and refuses anything else.
fn thousandths(weight: &str) -> Option<u16> {
    let weight = weight.trim();
    if weight.is_empty() {
        return Some(1000);
    }
    let number = weight
        .strip_prefix("q=")
        .or_else(|| weight.strip_prefix("Q="))?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if fraction.len() > 3 || !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    match whole {
        "0" => format!("{fraction:0<3}").parse().ok(),
        "1" if fraction.bytes().all(|digit| digit == b'0') => Some(1000),
        _ => None,
    }
}

fn sentence(status: StatusCode, text: &'static str) -> Response {
    Response::builder()
        .status(status)
        .header(CACHE_CONTROL, NEVER_STORED)
        .content_type("text/plain; charset=utf-8")
        .body(text)
}

/// The name of the file that the file at this path is an encoding of.
fn name(path: &str) -> &str {
    path.strip_suffix(".br")
        .or_else(|| path.strip_suffix(".gz"))
        .unwrap_or(path)
}

fn version(hash: &[u8; 32]) -> String {
    hex::encode(&hash[..16])
}

fn cache_control(path: &str) -> &'static str {
    if path == PAGE {
        NEVER_STORED
    } else if path.starts_with(HASHED) {
        FOREVER
    } else {
        ASK_EACH_TIME
    }
}

/// The types of files in a built app; anything else is binary data that no browser should guess about.
fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        "json" | "map" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        "woff2" => "font/woff2",
        "woff" => "font/woff",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "ico" => "image/x-icon",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use poem::test::{TestClient, TestResponse};

    use super::*;

    #[tokio::test]
    async fn every_address_of_the_app_is_its_page() {
        for path in [
            "/",
            "/index.html",
            "/child/7/summary",
            "/nothing.png",
            "/app.js",
            "/?a=1",
        ] {
            let answer = get(path, &[]).await;

            answer.assert_status_is_ok();
            answer.assert_header("content-type", "text/html; charset=utf-8");
            answer.assert_header("cache-control", "no-store");
            answer.assert_header_is_not_exist("etag");
            answer.assert_text("the page").await;
        }
    }

    #[tokio::test]
    async fn a_hashed_asset_is_kept_for_a_year() {
        let answer = get("/assets/app-1.js", &[]).await;

        answer.assert_status_is_ok();
        answer.assert_header("content-type", "text/javascript; charset=utf-8");
        answer.assert_header("cache-control", "public, max-age=31536000, immutable");
        answer.assert_header("vary", "Accept-Encoding");
        answer.assert_header("content-length", "9");
        answer.assert_text("plain app").await;
    }

    #[tokio::test]
    async fn a_missing_asset_is_not_the_page() {
        for path in [
            "/assets/app-0.js",
            "/assets/",
            "/assets/../index.html",
            "/assets/%2e%2e/index.html",
            "/assets/app-1.js.br",
            "/assets/app-1.js/",
        ] {
            let answer = get(path, &[]).await;

            answer.assert_status(StatusCode::NOT_FOUND);
            answer.assert_header("cache-control", "no-store");
        }
    }

    #[tokio::test]
    async fn no_address_leads_out_of_the_folder() {
        for path in [
            "/../Cargo.toml",
            "/%2e%2e/Cargo.toml",
            "//etc/passwd",
            "/..%5cCargo.toml",
        ] {
            get(path, &[]).await.assert_text("the page").await;
        }
    }

    #[tokio::test]
    async fn an_icon_is_asked_after_each_time() {
        let answer = get("/favicon.svg", &[]).await;
        answer.assert_header("content-type", "image/svg+xml");
        answer.assert_header("cache-control", "no-cache");
        let etag = header(&answer, "etag");
        assert!(
            etag.starts_with('"') && etag.ends_with('"'),
            "a strong, quoted tag: {etag}"
        );

        let again = get("/favicon.svg", &[("if-none-match", &etag)]).await;

        again.assert_status(StatusCode::NOT_MODIFIED);
        again.assert_header("etag", &etag);
        again.assert_header("cache-control", "no-cache");
        again.assert_header("vary", "Accept-Encoding");
        again.assert_header_is_not_exist("content-type");
        again.assert_text("").await;
    }

    #[tokio::test]
    async fn the_worker_has_a_policy_of_its_own_and_no_other_file_has() {
        let worker = get("/worker.js", &[]).await;
        worker.assert_header("content-security-policy", WORKER_POLICY);
        worker.assert_header("cache-control", "no-cache");
        let etag = header(&worker, "etag");
        let again = get("/worker.js", &[("if-none-match", &etag)]).await;
        again.assert_header("content-security-policy", WORKER_POLICY);

        for path in ["/", "/favicon.svg", "/assets/app-1.js"] {
            let answer = get(path, &[]).await;
            answer.assert_header_is_not_exist("content-security-policy");
        }
    }

    #[tokio::test]
    async fn a_held_copy_is_recognised_in_every_way_of_saying_so() {
        let etag = header(&get("/favicon.svg", &[]).await, "etag");
        let cases = [
            (etag.clone(), true),
            (format!("W/{etag}"), true),
            (format!("\"old\", {etag}"), true),
            ("*".to_owned(), true),
            ("\"old\"".to_owned(), false),
            (etag.trim_matches('"').to_owned(), false),
            (String::new(), false),
        ];
        for (held, recognised) in cases {
            let answer = get("/favicon.svg", &[("if-none-match", &held)]).await;

            let status = if recognised {
                StatusCode::NOT_MODIFIED
            } else {
                StatusCode::OK
            };
            assert_eq!(answer.0.status(), status, "If-None-Match: {held}");
        }
    }

    #[tokio::test]
    async fn each_form_has_a_tag_of_its_own() {
        let plain = header(&get("/assets/app-1.js", &[]).await, "etag");
        let brotli = header(
            &get("/assets/app-1.js", &[("accept-encoding", "br")]).await,
            "etag",
        );
        assert_ne!(plain, brotli);

        let headers = [("accept-encoding", "br"), ("if-none-match", plain.as_str())];
        get("/assets/app-1.js", &headers)
            .await
            .assert_status_is_ok();
    }

    #[tokio::test]
    async fn the_client_says_which_form_it_likes() {
        let cases = [
            ("", None),
            ("br", Some("br")),
            ("gzip, deflate, br, zstd", Some("br")),
            ("gzip", Some("gzip")),
            ("GZIP", Some("gzip")),
            ("x-gzip", Some("gzip")),
            ("gzip;q=0.1", Some("gzip")),
            ("br;q=0.5, gzip;q=0.8", Some("gzip")),
            ("br; q=0.5 ,gzip ; q=0.500", Some("br")),
            ("br;q=0, gzip", Some("gzip")),
            ("br;q=0, gzip;q=0", None),
            ("br;q=0.000, gzip;q=0.001", Some("gzip")),
            ("*", Some("br")),
            ("*;q=0.3, br;q=0", Some("gzip")),
            ("*;q=0", None),
            ("gzip;q=0.5, identity", None),
            ("identity;q=0.5, gzip", Some("gzip")),
            ("identity;q=0, *;q=0", None),
            ("deflate, zstd", None),
            ("br;q=2", None),
            ("br;q=1.001", None),
            ("br;q=0.1234", None),
            ("br;quality=1, gzip", Some("gzip")),
            (";;, ,,=", None),
        ];
        for (asked, coding) in cases {
            let answer = get("/assets/app-1.js", &[("accept-encoding", asked)]).await;

            let found = answer
                .0
                .headers()
                .get(CONTENT_ENCODING)
                .map(|v| v.to_str().unwrap());
            assert_eq!(found, coding, "Accept-Encoding: {asked}");
            answer.assert_header("content-type", "text/javascript; charset=utf-8");
            answer.assert_header("vary", "Accept-Encoding");
            let body = answer.0.into_body().into_string().await.unwrap();
            assert_eq!(body, format!("{} app", coding.unwrap_or("plain")));
        }
    }

    #[tokio::test]
    async fn what_is_embedded_compressed_alone_is_unpacked_for_who_wants_it_plain() {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(b"plain app").unwrap();
        let gzip = Bytes::from(gzip.finish().unwrap());
        let files = [("assets/app-1.js.gz", gzip.clone(), [1; 32])];
        let alone = TestClient::new(Ui::from_files(
            files.map(|(path, body, hash)| (path.to_owned(), body, hash)),
        ));

        let plain = alone.get("/assets/app-1.js").send().await;
        let gzipped = alone.get("/assets/app-1.js");
        let gzipped = gzipped.header("accept-encoding", "gzip").send().await;

        plain.assert_status_is_ok();
        plain.assert_header_is_not_exist("content-encoding");
        plain.assert_header("content-length", "9");
        plain.assert_header("content-type", "text/javascript; charset=utf-8");
        assert_ne!(header(&plain, "etag"), header(&gzipped, "etag"));
        plain.assert_text("plain app").await;
        gzipped.assert_header("content-encoding", "gzip");
        gzipped.assert_bytes(gzip).await;
    }

    #[test]
    fn every_embedded_file_can_be_had_plain() {
        for (path, file) in Ui::embedded().files {
            assert!(!file.plain().body.is_empty(), "{path}");
        }
    }

    #[tokio::test]
    async fn the_page_too_travels_compressed() {
        let answer = get("/child/7", &[("accept-encoding", "gzip, br")]).await;

        answer.assert_header("content-encoding", "br");
        answer.assert_header("cache-control", "no-store");
        answer.assert_text("br page").await;
    }

    #[tokio::test]
    async fn a_head_request_gets_the_headers_alone() {
        for path in ["/", "/assets/app-1.js", "/favicon.svg"] {
            let whole = get(path, &[]).await;
            let head = TestClient::new(app()).head(path).send().await;

            assert_eq!(head.0.headers(), whole.0.headers(), "{path}");
            head.assert_text("").await;
        }
    }

    #[tokio::test]
    async fn nothing_here_can_be_written() {
        for method in [
            Method::POST,
            Method::PUT,
            Method::DELETE,
            Method::OPTIONS,
            Method::TRACE,
        ] {
            let answer = TestClient::new(app())
                .request(method, "/favicon.svg")
                .send()
                .await;

            answer.assert_status(StatusCode::METHOD_NOT_ALLOWED);
            answer.assert_header("allow", "GET, HEAD");
        }
    }

    #[tokio::test]
    async fn the_check_that_haproxy_sends_by_default_is_answered() {
        let answer = TestClient::new(app()).options("/").send().await;

        answer.assert_status(StatusCode::NO_CONTENT);
        answer.assert_header("allow", "GET, HEAD, OPTIONS");
    }

    #[tokio::test]
    async fn this_binary_has_a_page() {
        let answer = TestClient::new(Ui::embedded()).get("/").send().await;

        answer.assert_status_is_ok();
        answer.assert_header("content-type", "text/html; charset=utf-8");
    }

    #[test]
    fn a_built_app_has_no_file_of_unknown_type() {
        let known = [
            ("manifest.webmanifest", "application/manifest+json"),
            ("assets/figtree-1.woff2", "font/woff2"),
            ("assets/index-1.css", "text/css; charset=utf-8"),
            ("icon.png", "image/png"),
            ("README", "application/octet-stream"),
        ];
        for (path, expected) in known {
            assert_eq!(content_type(path), expected, "{path}");
        }
        for path in Ui::embedded().files.keys() {
            assert_ne!(
                content_type(path),
                "application/octet-stream",
                "give {path} a type"
            );
        }
    }

    fn app() -> Ui {
        let files = [
            ("index.html", "the page"),
            ("index.html.br", "br page"),
            ("favicon.svg", "an icon"),
            ("worker.js", "the worker"),
            ("assets/app-1.js", "plain app"),
            ("assets/app-1.js.gz", "gzip app"),
            ("assets/app-1.js.br", "br app"),
        ];
        Ui::from_files(files.into_iter().zip(1..).map(|((path, contents), hash)| {
            (
                path.to_owned(),
                Bytes::from_static(contents.as_bytes()),
                [hash; 32],
            )
        }))
    }

    async fn get(path: &str, headers: &[(&str, &str)]) -> TestResponse {
        let client = TestClient::new(app());
        let request = headers
            .iter()
            .fold(client.get(path), |request, (name, value)| {
                request.header(*name, *value)
            });
        request.send().await
    }

    fn header(answer: &TestResponse, name: &str) -> String {
        answer.0.headers()[name].to_str().unwrap().to_owned()
    }
}
