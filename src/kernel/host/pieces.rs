//! Streams answers that are too large for memory in chunks.

use std::io::{self, Write};

use tokio::sync::mpsc;

/// The size of a chunk, in bytes.
const PIECE: usize = 64 * 1024;

/// How many chunks wait for a slow reader before the producer blocks.
const WAITING: usize = 8;

/// The sender of an answer's chunks. Sending fails once the receiver is dropped.
pub type Pieces = mpsc::Sender<Vec<u8>>;

/// Creates a channel of chunks.
pub fn pieces() -> (Pieces, mpsc::Receiver<Vec<u8>>) {
    mpsc::channel(WAITING)
}

/// Writes into a channel of chunks, from a thread that may block.
pub struct IntoPieces {
    pieces: Pieces,
    piece: Vec<u8>,
}

impl IntoPieces {
    pub fn new(pieces: &Pieces) -> Self {
        Self {
            pieces: pieces.clone(),
            piece: Vec::with_capacity(PIECE),
        }
    }

    fn send(&mut self) -> io::Result<()> {
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
        self.pieces
            .blocking_send(piece)
            .map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Write for IntoPieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.piece.len() + bytes.len() > PIECE && !self.piece.is_empty() {
            self.send()?;
        }
        self.piece.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            Ok(())
        } else {
            self.send()
        }
    }
}
