//! Undoes the `Content-Encoding` of an upstream that compresses although it was asked not to.

use std::io::{self, BufRead, ErrorKind, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use hyper::HeaderMap;
use hyper::body::{Body, Frame, Incoming};
use hyper::header::CONTENT_ENCODING;

/// The largest piece of a decompressed body, in bytes: what one piece of a compressed one becomes has no bound.
const LARGEST_PIECE: usize = 16 * 1024;

/// A response's body, decompressed as it comes.
#[derive(Debug)]
pub enum UpstreamBody<B = Incoming> {
    Plain(B),
    Compressed(Box<Decompressed<B>>),
}

impl<B> UpstreamBody<B> {
    /// `None` if the body is compressed in an unknown way.
    pub fn new(headers: &HeaderMap, body: B) -> Option<Self> {
        let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
        let encoding = encodings
            .next()
            .map_or("", |value| value.to_str().unwrap_or("?"));
        if encodings.next().is_some() {
            return None;
        }
        let decoder = match encoding.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => return Some(Self::Plain(body)),
            "gzip" | "x-gzip" => Decoder::Gzip(MultiGzDecoder::new(Input::default())),
            "deflate" => Decoder::Zlib(ZlibDecoder::new(Input::default())),
            _ => return None,
        };
        Some(Self::Compressed(Box::new(Decompressed {
            body,
            decoder,
            beginning: Some(Vec::new()),
            piece: vec![0; LARGEST_PIECE],
        })))
    }
}

#[derive(Debug)]
pub struct Decompressed<B> {
    body: B,
    decoder: Decoder,
    /// The first bytes, until they tell how the body is compressed.
    beginning: Option<Vec<u8>>,
    /// A buffer for one piece.
    piece: Vec<u8>,
}

#[derive(Debug)]
enum Decoder {
    Gzip(MultiGzDecoder<Input>),
    Zlib(ZlibDecoder<Input>),
    /// What some servers send as `deflate`.
    Deflate(DeflateDecoder<Input>),
}

impl Decoder {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Gzip(decoder) => decoder.read(piece),
            Self::Zlib(decoder) => decoder.read(piece),
            Self::Deflate(decoder) => decoder.read(piece),
        }
    }

    fn input(&mut self) -> &mut Input {
        match self {
            Self::Gzip(decoder) => decoder.get_mut(),
            Self::Zlib(decoder) => decoder.get_mut(),
            Self::Deflate(decoder) => decoder.get_mut(),
        }
    }
}

/// The compressed bytes that have come and weren't decompressed yet.
#[derive(Debug, Default)]
struct Input {
    bytes: Bytes,
    has_ended: bool,
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.bytes.is_empty() && !self.has_ended {
            return Err(ErrorKind::WouldBlock.into());
        }
        Ok(&self.bytes)
    }

    fn consume(&mut self, count: usize) {
        self.bytes.advance(count);
    }
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

/// The length of zlib's header, in bytes.
const ZLIB_HEADER: usize = 2;

/// Whether compressed bytes begin as zlib's do (RFC 1950, section 2.2).
fn is_zlib(bytes: &[u8]) -> bool {
    match *bytes {
        [method, flags, ..] => {
            method & 0xf == 8 && u16::from_be_bytes([method, flags]).is_multiple_of(31)
        }
        _ => true,
    }
}

impl<B> Decompressed<B>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        loop {
            match self.decoder.read(&mut self.piece) {
                Ok(0) if self.decoder.input().has_ended => return Poll::Ready(None),
                // What stands behind the end belongs to nothing.
                Ok(0) => self.decoder.input().bytes.clear(),
                Ok(count) => {
                    let piece = Bytes::copy_from_slice(&self.piece[..count]);
                    return Poll::Ready(Some(Ok(piece)));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
            match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                None => {
                    self.begin();
                    self.decoder.input().has_ended = true;
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(io::Error::other(error)))),
                Some(Ok(frame)) => {
                    if let Ok(bytes) = frame.into_data() {
                        self.add(bytes);
                    }
                }
            }
        }
    }

    fn add(&mut self, bytes: Bytes) {
        match &mut self.beginning {
            None => self.decoder.input().bytes = bytes,
            Some(beginning) => {
                beginning.extend_from_slice(&bytes);
                if beginning.len() >= ZLIB_HEADER {
                    self.begin();
                }
            }
        }
    }

    /// Passes the first bytes to the decoder that they are for.
    fn begin(&mut self) {
        let Some(beginning) = self.beginning.take() else {
            return;
        };
        if matches!(self.decoder, Decoder::Zlib(_)) && !is_zlib(&beginning) {
            self.decoder = Decoder::Deflate(DeflateDecoder::new(Input::default()));
        }
        self.decoder.input().bytes = beginning.into();
    }
}

impl<B> Body for UpstreamBody<B>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        match self.get_mut() {
            Self::Plain(body) => {
                let frame = ready!(Pin::new(body).poll_frame(cx));
                Poll::Ready(frame.map(|frame| frame.map_err(io::Error::other)))
            }
            Self::Compressed(body) => {
                let piece = ready!(body.poll_piece(cx));
                Poll::Ready(piece.map(|piece| piece.map(Frame::data)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use futures_util::stream;
    use http_body_util::{BodyExt, StreamBody};
    use hyper::header::HeaderValue;

    use super::*;

    /// Each piece is flushed, as a stream's is.
    fn compressed<W: Write>(
        mut encoder: W,
        pieces: &[&str],
        end: impl FnOnce(W) -> Vec<u8>,
    ) -> Vec<u8> {
        for piece in pieces {
            encoder.write_all(piece.as_bytes()).unwrap();
            encoder.flush().unwrap();
        }
        end(encoder)
    }

    async fn read(encoding: &'static str, bytes: &[u8], size: usize) -> Result<Vec<u8>, String> {
        let chunks = bytes
            .chunks(size)
            .map(Bytes::copy_from_slice)
            .collect::<Vec<_>>();
        let frames = chunks
            .into_iter()
            .map(|chunk| Ok::<_, io::Error>(Frame::data(chunk)));
        let headers =
            HeaderMap::from_iter([(CONTENT_ENCODING, HeaderValue::from_static(encoding))]);
        let body = UpstreamBody::new(&headers, StreamBody::new(stream::iter(frames)));
        let body = body.ok_or("unknown")?.collect().await;
        body.map(|body| body.to_bytes().to_vec())
            .map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn what_is_compressed_becomes_what_it_was_however_it_is_cut() {
        const PIECES: [&str; 3] = ["data: Fish\n\n", "data: drink\n\n", "data: it.\n\n"];
        let level = Compression::fast();
        let text = PIECES.concat();
        let gzip = compressed(GzEncoder::new(Vec::new(), level), &PIECES, |it| {
            it.finish().unwrap()
        });
        let zlib = compressed(ZlibEncoder::new(Vec::new(), level), &PIECES, |it| {
            it.finish().unwrap()
        });
        let raw = compressed(DeflateEncoder::new(Vec::new(), level), &PIECES, |it| {
            it.finish().unwrap()
        });
        for (encoding, bytes) in [
            ("gzip", gzip.repeat(2)),
            ("X-GZIP", gzip),
            ("deflate", zlib),
            ("deflate", raw),
            ("identity", text.clone().into_bytes()),
        ] {
            for size in [1, 2, 3, 1000] {
                let read = read(encoding, &bytes, size).await.unwrap();
                assert_eq!(
                    str::from_utf8(&read).unwrap().replacen(&text, "", 1).len() % text.len(),
                    0,
                    "{encoding}"
                );
                assert!(read.starts_with(text.as_bytes()), "{encoding}");
            }
        }
    }

    #[tokio::test]
    async fn pieces_that_were_flushed_come_before_the_next_ones() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(b"data: Fish\n\n").unwrap();
        encoder.flush().unwrap();
        let first = Bytes::copy_from_slice(encoder.get_ref());
        let frames = stream::iter([Ok::<_, io::Error>(Frame::data(first))]);
        let endless = futures_util::StreamExt::chain(frames, stream::pending());
        let headers = HeaderMap::from_iter([(CONTENT_ENCODING, HeaderValue::from_static("gzip"))]);
        let mut body = UpstreamBody::new(&headers, StreamBody::new(endless)).unwrap();

        let frame = body.frame().await.unwrap().unwrap();

        assert_eq!(frame.into_data().unwrap(), "data: Fish\n\n");
    }

    #[tokio::test]
    async fn a_bomb_comes_in_small_pieces() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&vec![0; 8 * 1024 * 1024]).unwrap();
        let bytes = Bytes::from(encoder.finish().unwrap());
        let frames = stream::iter([Ok::<_, io::Error>(Frame::data(bytes))]);
        let headers = HeaderMap::from_iter([(CONTENT_ENCODING, HeaderValue::from_static("gzip"))]);
        let mut body = UpstreamBody::new(&headers, StreamBody::new(frames)).unwrap();

        while let Some(frame) = body.frame().await {
            let piece = frame.unwrap().into_data().unwrap();
            assert!(piece.len() <= LARGEST_PIECE);
        }
    }

    #[tokio::test]
    async fn what_cannot_be_decompressed_is_an_error() {
        assert_eq!(read("br", b"x", 1).await, Err("unknown".to_owned()));
        assert_eq!(read("gzip, gzip", b"x", 1).await, Err("unknown".to_owned()));
        assert!(read("gzip", b"no gzip at all", 3).await.is_err());
    }
}
