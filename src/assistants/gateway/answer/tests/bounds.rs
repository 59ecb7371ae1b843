//! Long and hostile answers.

use super::*;

#[test]
fn a_line_of_several_megabytes_is_read() {
    let sound = "A".repeat(5 * 1024 * 1024);
    let chunk = json!({"choices": [{"delta": {"audio": {"data": sound, "transcript": "Hello"}}}]});

    assert_eq!(answer_of(&[event(&chunk).as_bytes()]).text, "Hello");
    assert_eq!(answer_of(&[format!("{chunk}\n").as_bytes()]).text, "Hello");
}

#[test]
fn more_than_is_kept_is_noticed_before_its_end() {
    let word = event(&json!({"choices": [{"delta": {"content": "word ".repeat(1000)}}]}));
    let call = json!([{"index": 0, "function": {"arguments": "word ".repeat(1000)}}]);
    let call = event(&json!({"choices": [{"delta": {"tool_calls": call}}]}));
    let calls = json!([{"function": {"name": "get", "arguments": {}}}]);
    let calls = json!({"message": {"tool_calls": calls}}).to_string();
    for (piece, count) in [
        (word, 209),
        (call, 209),
        (calls, 64),
        ("{\"a\":[\"".to_owned() + &"x".repeat(1024 * 1024), 7),
    ] {
        let mut reader = AnswerReader::new();
        for _ in 0..count {
            reader.push(piece.as_bytes());
        }
        assert!(!reader.is_full());
        for _ in 0..2 {
            reader.push(piece.as_bytes());
        }
        assert!(reader.is_full(), "{}", &piece[..60]);
        assert!(reader.finish().text.len() <= 1024 * 1024);
    }
}

#[test]
fn each_byte_is_parsed_once() {
    let pretty = format!(
        "{:#}\n",
        json!({"choices": [{"message": {"content": "word\n".repeat(1000)}}]})
    );
    for stream in [
        "data: 1,\n".repeat(10_000),
        "data: [1,\n".repeat(10_000),
        format!(
            "data: {{\"a\": [\n{}data: 1]}}\n\n",
            "data: 1,\n".repeat(10_000)
        ),
        "{\n".repeat(10_000),
        "[]".repeat(10_000),
        "data: {\"a\": \"\n".repeat(1000),
        pretty,
    ] {
        let mut reader = AnswerReader::new();
        for chunk in stream.as_bytes().chunks(3) {
            reader.push(chunk);
        }
        reader.give_up();
        assert!(
            reader.parsed <= stream.len(),
            "{} of {}",
            reader.parsed,
            stream.len()
        );
    }
}

/// Pieces of streams, valid and not.
const PIECES: [&[u8]; 13] = [
    b"data: ",
    b"data:",
    b"\r",
    b"\n",
    b"\r\n",
    b"{\"choices\": [",
    b"{\"delta\": {\"content\": \"\xf0\x9f\"}}",
    b"]}",
    b"[DONE]",
    b"\xff",
    b": ",
    b"{\"message\": {\"tool_calls\": [{\"function\": {\"arguments\": 5}}, 7]}, \"done\": true}",
    b"{\"choices\": [{\"delta\": {\"tool_calls\": [{\"index\": -1, \"function\": {\"arguments\": [1]}}]}}]}",
];

proptest! {
    #[test]
    fn hostile_streams_never_panic(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40),
        size in 1..30_usize,
    ) {
        let bytes = pieces.concat();
        let chunks = bytes.chunks(size).collect::<Vec<_>>();
        prop_assert_eq!(read(&chunks), read(&[&bytes]));
    }
}
