//! Porchlight: a parent's view of what a child and a voice assistant talk about.

use std::process::ExitCode;

/// The system's allocator keeps what was freed; this one gives it back to the system. How soon, says `.cargo/config.toml`.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    porchlight::cli::main()
}
