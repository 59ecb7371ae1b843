//! The texts in a message of either API, and in its parts.

use serde_json::value::RawValue;

use super::fields::{each_item, fields, text_of};

/// The texts of a message, of which the ends may be half characters.
#[derive(Default)]
pub struct Texts {
    pub said: Vec<u8>,
    pub thought: Vec<u8>,
}

/// What a message says, and what it only thinks. Some servers send the same thought, or the same words, in two fields.
pub fn texts_of(message: &RawValue, is_delta: bool) -> Texts {
    let names = [
        "content",
        "refusal",
        "audio",
        "reasoning_content",
        "reasoning",
        "thinking",
        "reasoning_details",
    ];
    let [content, refusal, audio, thoughts @ .., details] = fields(message, names);
    let mut texts = Texts::default();
    let [own, reasoning, thinking] = thoughts;
    for thought in [own, reasoning, thinking].into_iter().flatten() {
        if let Some(thought) = text_of(thought).filter(|thought| **thought != *texts.thought) {
            texts.thought.extend_from_slice(&thought);
        }
    }
    if texts.thought.is_empty() {
        each_item(details, |detail| {
            let [text, summary] = fields(detail, ["text", "summary"]);
            let thought = text.or(summary).and_then(text_of).unwrap_or_default();
            texts.thought.extend_from_slice(&thought);
        });
    }
    if let Some(content) = content {
        match text_of(content) {
            Some(said) => texts.said.extend_from_slice(&said),
            None => each_item(Some(content), |part| read_part(part, is_delta, &mut texts)),
        }
    }
    let transcript = audio.and_then(|audio| fields(audio, ["transcript"])[0]);
    for said in [refusal, transcript].into_iter().flatten() {
        if let Some(said) = text_of(said).filter(|said| **said != *texts.said) {
            texts.said.extend_from_slice(&said);
        }
    }
    texts
}

/// One part of a content that is a list. Parts of a whole content are sentences of their own.
fn read_part(part: &RawValue, is_delta: bool, texts: &mut Texts) {
    let names = ["type", "text", "refusal", "transcript", "thinking"];
    let [kind, text, refusal, transcript, thinking] = fields(part, names);
    if let Some(thinking) = thinking {
        match text_of(thinking) {
            Some(thought) => texts.thought.extend_from_slice(&thought),
            None => each_item(Some(thinking), |part| {
                let thought = fields(part, ["text"])[0].and_then(text_of);
                texts
                    .thought
                    .extend_from_slice(&thought.unwrap_or_default());
            }),
        }
    }
    let kind = kind.and_then(text_of).unwrap_or_default();
    let found = text_of(part).or_else(|| text.or(refusal).or(transcript).and_then(text_of));
    let said = found.unwrap_or(match &*kind {
        b"image_url" | b"output_image" | b"image" => b"[picture]".into(),
        b"output_audio" | b"audio" => b"[sound]".into(),
        b"file" | b"output_file" => b"[file]".into(),
        _ => b"".into(),
    });
    if !is_delta && !texts.said.is_empty() && !said.is_empty() {
        texts.said.push(b' ');
    }
    texts.said.extend_from_slice(&said);
}
