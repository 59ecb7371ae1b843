//! The plug-ins, as a running server hands them out.

use porchlight::assistant::plugins::STACKS;

use crate::support::test_app::TestApp;

#[tokio::test]
async fn anybody_gets_each_plug_in_with_the_servers_address() {
    let app = TestApp::new().await;
    let public_url = app.inner.identity.public_url();

    for stack in &STACKS {
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
async fn a_stack_without_a_plug_in_is_not_there() {
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
