//! Porchlight: a parent's view of what a child and a voice assistant talk about.

use std::process::ExitCode;

/// The system's allocator keeps freed memory; this one returns it to the system, after the delay set in `.cargo/config.toml`.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    porchlight::cli::main()
}
