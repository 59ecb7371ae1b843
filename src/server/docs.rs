//! The contract and the page to try it on: `/api/openapi.yaml`, `/api/openapi.json`, `/api/docs`.

use std::collections::HashMap;
use std::marker::PhantomData;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use poem::endpoint::{BoxEndpoint, make_sync};
use poem::http::{Method, header};
use poem::web::Html;
use poem::{Endpoint, IntoResponse, Response, Route};
use poem_openapi::registry::{MetaApi, Registry};
use poem_openapi::{OpenApi, OpenApiService, Webhook};
use sha2::{Digest, Sha256};

/// The contract in its three forms.
pub struct Contract {
    yaml: String,
    json: String,
    page: String,
}

impl Contract {
    /// The contract that the code declares.
    pub fn of<T: OpenApi, W: Webhook>(service: &OpenApiService<T, W>) -> Self {
        let page = service.swagger_ui_html();
        // poem-openapi's page lacks what a browser and a screen reader ask for.
        let page = page.trim_start().replacen(
            "<html charset=\"UTF-8\">",
            "<!doctype html>\n<html lang=\"en\">",
            1,
        );
        let page = page.replacen(
            "<title>Swagger UI</title>",
            "<title>Porchlight API</title>\n<meta name=\"viewport\" content=\"width=device-width\">",
            1,
        );
        Self {
            yaml: service.spec_yaml(),
            json: service.spec(),
            page,
        }
    }
}

/// What an API declares, without the app that would answer: the contract needs no store.
pub struct Declared<T>(PhantomData<T>);

impl<T> Declared<T> {
    /// What this function would answer with.
    pub fn by<A>(_operations: impl FnOnce(&A) -> T) -> Self {
        Self(PhantomData)
    }
}

impl<T: OpenApi> OpenApi for Declared<T> {
    fn meta() -> Vec<MetaApi> {
        T::meta()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn add_routes(self, _: &mut HashMap<String, HashMap<Method, BoxEndpoint<'static>>>) {}
}

/// Lets the contract's pages answer beside the operations.
pub fn beside(contract: Contract, operations: impl Endpoint<Output = Response> + 'static) -> Route {
    let Contract { yaml, json, page } = contract;
    let policy = policy(&page);
    Route::new()
        .at(
            "/openapi.yaml",
            make_sync(move |_| yaml.clone().with_content_type("application/yaml")),
        )
        .at(
            "/openapi.json",
            make_sync(move |_| json.clone().with_content_type("application/json")),
        )
        .at(
            "/docs",
            make_sync(move |_| {
                Html(page.clone()).with_header(header::CONTENT_SECURITY_POLICY, policy.clone())
            }),
        )
        .nest("/", operations)
}

/// The page's own policy: its inline script and style by their hashes, and nobody else's.
fn policy(page: &str) -> String {
    let scripts = hashes(page, "<script charset=\"UTF-8\">", "</script>")
        + &hashes(page, "<script>", "</script>");
    let styles = hashes(page, "<style charset=\"UTF-8\">", "</style>");
    format!(
        "default-src 'none'; script-src{scripts}; style-src{styles}; img-src 'self' data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// The hashes of all inline elements between two tags (CSP Level 3, section 8.2).
fn hashes(page: &str, opening: &str, closing: &str) -> String {
    let inner = page
        .split(opening)
        .skip(1)
        .filter_map(|rest| rest.split(closing).next());
    inner
        .map(|text| format!(" 'sha256-{}'", STANDARD.encode(Sha256::digest(text))))
        .collect()
}
