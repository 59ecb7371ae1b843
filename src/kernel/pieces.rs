//! What is too large for an answer: it goes out in pieces while it is made.

use std::io::{self, Write};

use tokio::sync::mpsc;

/// The size of a piece, in bytes.
const PIECE: usize = 64 * 1024;

/// How many pieces wait for a slow reader before the maker waits.
const WAITING: usize = 8;

/// The sender of an answer's pieces. It fails once the receiver is dropped.
pub type Pieces = mpsc::Sender<Vec<u8>>;

/// A way for pieces, from its maker to its reader.
pub fn pieces() -> (Pieces, mpsc::Receiver<Vec<u8>>) {
    mpsc::channel(WAITING)
}

/// Writes into pieces, from a thread that may wait.
pub struct IntoPieces {
    pieces: Pieces,
    piece: Vec<u8>,
}

impl IntoPieces {
    /// Writes into these.
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
