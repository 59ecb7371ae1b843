//! The process's limit on open files.

use rustix::process::{Resource, getrlimit, setrlimit};

/// Raises the limit on open files to the maximum for this process, and returns it
/// (`u64::MAX` for none). Many systems start a process with 1,024 and allow far more on request.
/// If raising fails, the limit stays as it was.
pub fn raise_open_files_limit() -> u64 {
    let mut limit = getrlimit(Resource::Nofile);
    let granted = limit.current;
    limit.current = limit.maximum;
    match setrlimit(Resource::Nofile, limit) {
        Ok(()) => limit.maximum,
        Err(error) => {
            tracing::warn!(%error, "the limit on open files could not be raised");
            granted
        }
    }
    .unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_on_open_files_becomes_the_hard_one() {
        let raised = raise_open_files_limit();

        let limit = getrlimit(Resource::Nofile);
        assert_eq!(limit.current, limit.maximum);
        assert_eq!(raised, limit.maximum.unwrap_or(u64::MAX));
    }
}
