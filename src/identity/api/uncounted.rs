//! The calls that don't count against a guardian's limit of changes.

use poem::http::Method;

/// Calls below `/api` that only read, or that cancel, end, delete, restore or keep something. `*` matches one part of a path. No `GET` and no
/// `DELETE` is counted either. `replaceTimes` decides in its handler: a pause isn't counted.
pub const UNCOUNTED: [(Method, &str); 16] = [
    (Method::POST, "/child/*/search"),
    (Method::PUT, "/child/*/deletion"),
    (Method::PUT, "/child/*/requests/*/confirmation"),
    (Method::POST, "/child/*/deleted_sessions/shown"),
    (Method::POST, "/child/*/deleted_sessions/*/undelete"),
    (Method::PUT, "/sessions/*/kept"),
    (Method::PUT, "/child/*/times"),
    (Method::POST, "/household/requests/shown"),
    (Method::POST, "/assistants/*/key"),
    (Method::POST, "/auth/sign-ins/seen"),
    (Method::POST, "/auth/recovery-codes"),
    (Method::POST, "/auth/step-up"),
    (Method::POST, "/auth/step-up/email"),
    (Method::POST, "/auth/step-up/other-device"),
    (Method::POST, "/auth/asking-devices/*"),
    (Method::POST, "/setup/finish"),
];

pub fn is_counted(method: &Method, path: &str) -> bool {
    let is_free = |(free, pattern): &(Method, &str)| free == method && matches(pattern, path);
    !matches!(*method, Method::GET | Method::HEAD | Method::DELETE)
        && !UNCOUNTED.iter().any(is_free)
}

fn matches(pattern: &str, path: &str) -> bool {
    let (mut pattern, mut path) = (pattern.split('/'), path.split('/'));
    loop {
        match (pattern.next(), path.next()) {
            (None, None) => return true,
            (Some(expected), Some(part)) if expected == "*" || expected == part => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stopping_and_deleting_are_not_counted_and_changing_is() {
        let cases = [
            (Method::GET, "/children", false),
            (Method::DELETE, "/assistants/asi_x", false),
            (Method::PUT, "/child/1/name", true),
            (Method::POST, "/child/1/search", false),
            (Method::PUT, "/child/1/deletion", false),
            (Method::PUT, "/child/1/context", true),
            (Method::POST, "/child/1/deleted_sessions/3/undelete", false),
            (Method::POST, "/child/1/deletion", true),
            (Method::POST, "/child/1/search/more", true),
        ];

        for (method, path, expected) in cases {
            assert_eq!(is_counted(&method, path), expected, "{method} {path}");
        }
    }
}
