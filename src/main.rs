//! Porchlight: a parent's view of what a child and a voice assistant talk about.

use std::process::ExitCode;

fn main() -> ExitCode {
    porchlight::cli::main()
}
