//! Downloading the plug-ins from a running server.

use porchlight::assistants::plugins::STACKS;

use crate::support::test_app::TestApp;

#[tokio::test]
async fn each_plug_in_can_be_downloaded_without_a_credential_and_has_the_servers_url() {
    let app = TestApp::new().await;
    let public_url = app.inner.identity.public_url();
    let ada = app.guardian("ada@example.org").await;
    let listed = ada.get("/api/household").await.json()["plugins"].take();
    assert_eq!(listed.as_array().map(Vec::len), Some(STACKS.len()));

    for (stack, listed) in STACKS.iter().zip(listed.as_array().unwrap()) {
        assert_eq!(listed["stack"], stack.name);
        assert_eq!(listed["title"], stack.title);
        assert!(listed["steps"][0].is_string());
        let path = format!("/api/assistant/plugins/{}", stack.name);
        let answer = app.anonymous().get(&path).await;

        let (name, content) = stack.download(public_url);
        let disposition = format!("attachment; filename=\"{name}\"");
        assert_eq!(answer.status, 200, "{}", stack.name);
        assert_eq!(answer.headers["content-disposition"], disposition.as_str());
        assert_eq!(answer.body, String::from_utf8_lossy(&content));
    }
}

#[tokio::test]
async fn an_unknown_plug_in_is_not_found() {
    let app = TestApp::new().await;

    for name in [
        "nothing",
        "..%2F..%2Fetc%2Fpasswd",
        "LIVEKIT",
        &"a".repeat(41),
    ] {
        let path = format!("/api/assistant/plugins/{name}");
        app.anonymous().get(&path).await.problem(404);
    }
}
