//! What the build embeds gzipped.

use std::io::Read;

use flate2::read::GzDecoder;

/// Decompresses what the build gzipped.
pub fn unpacked(gzipped: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    GzDecoder::new(gzipped)
        .read_to_end(&mut plain)
        .expect("the build gzipped it");
    plain
}

/// Decompresses a text that the build gzipped.
pub fn unpacked_text(gzipped: &[u8]) -> String {
    String::from_utf8(unpacked(gzipped)).expect("the build gzipped a text")
}
