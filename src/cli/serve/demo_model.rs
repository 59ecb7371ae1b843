//! A model for the demonstration: a server on this machine that answers from the demonstration's conversations.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};

/// The only model.
pub const MODEL: &str = "storyteller";

/// The pause between two words.
const WORD: Duration = Duration::from_millis(120);

/// What it says to words that are in no conversation.
const OTHERWISE: &str = "Tell me more.";

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Starts the model with the conversations of a family's file. Returns its base URL. It runs until the process ends.
pub async fn start(family: Value) -> io::Result<String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let url = format!("http://{}/v1", listener.local_addr()?);
    tokio::spawn(async move {
        let family = Arc::new(family);
        while let Ok((connection, _)) = listener.accept().await {
            tokio::spawn(answer_all(connection, Arc::clone(&family)));
        }
    });
    Ok(url)
}

async fn answer_all(connection: TcpStream, family: Arc<Value>) {
    let service = service_fn(|request| {
        let family = Arc::clone(&family);
        async move { Ok::<_, Infallible>(answer(request, &family).await) }
    });
    // A connection that breaks off concerns nobody else.
    let _ = http1::Builder::new()
        .serve_connection(TokioIo::new(connection), service)
        .await;
}

async fn answer(request: Request<Incoming>, family: &Value) -> Answer {
    match (request.method(), request.uri().path()) {
        (&Method::GET, "/v1/models") => {
            let models = json!({"object": "list", "data": [{"id": MODEL, "object": "model"}]});
            whole(StatusCode::OK, &models)
        }
        (&Method::POST, "/v1/chat/completions") => {
            let body = request.into_body().collect().await;
            let body = body.map(|body| body.to_bytes()).unwrap_or_default();
            let body = serde_json::from_slice::<Value>(&body).unwrap_or_default();
            let messages = body["messages"].as_array();
            let last = messages.and_then(|messages| messages.last());
            let words = last.and_then(|last| last["content"].as_str());
            spoken(reply(family, words.unwrap_or_default()))
        }
        _ => whole(
            StatusCode::NOT_FOUND,
            &json!({"error": {"message": "There is nothing here."}}),
        ),
    }
}

/// What follows these words in one of the family's conversations.
fn reply<'a>(family: &'a Value, words: &str) -> &'a str {
    let children = family["children"].as_array().into_iter().flatten();
    let sessions = children.flat_map(|child| child["sessions"].as_array().into_iter().flatten());
    let mut messages = sessions.filter_map(|session| session["messages"].as_array());
    let found = messages.find_map(|messages| {
        let mut pairs = messages.windows(2);
        let pair = pairs
            .find(|pair| pair[0]["text_content"] == words && pair[1]["source"] == "assistant")?;
        pair[1]["text_content"].as_str()
    });
    found.unwrap_or(OTHERWISE)
}

/// A streamed answer, word by word.
fn spoken(text: &str) -> Answer {
    let event = |choice: Value| {
        let chunk = json!({"id": "demo", "object": "chat.completion.chunk", "model": MODEL, "choices": [choice]});
        format!("data: {chunk}\n\n")
    };
    let mut events = Vec::new();
    for word in text.split_inclusive(' ') {
        events.push(event(json!({"index": 0, "delta": {"content": word}})));
    }
    events.push(event(
        json!({"index": 0, "delta": {}, "finish_reason": "stop"}),
    ));
    events.push("data: [DONE]\n\n".to_owned());
    let pieces = stream::unfold(events.into_iter(), async |mut events| {
        let event = events.next()?;
        tokio::time::sleep(WORD).await;
        Some((Ok(Frame::data(Bytes::from(event))), events))
    });
    let mut answer = Response::new(StreamBody::new(Box::pin(pieces)).boxed());
    let stream = header::HeaderValue::from_static("text/event-stream");
    answer.headers_mut().insert(header::CONTENT_TYPE, stream);
    answer
}

fn whole(status: StatusCode, body: &Value) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(body.to_string())).boxed());
    *answer.status_mut() = status;
    let json = header::HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, json);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::admin::DEMO_FAMILY;

    #[test]
    fn it_answers_what_the_demonstrations_assistant_said() {
        let family = serde_json::from_str(&DEMO_FAMILY).unwrap();

        let words = "Why do bees make honey if we just take it?";
        assert!(reply(&family, words).starts_with("They make it for winter"));
        assert_eq!(reply(&family, "Is it raining?"), OTHERWISE);
    }
}
