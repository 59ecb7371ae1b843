//! Parses booleans.

/// Parses yes or no, in the words of compose files, systemd units and this program's own options.
pub fn on_or_off(text: &str) -> Result<bool, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" | "1" => Ok(true),
        "off" | "false" | "no" | "0" => Ok(false),
        _ => Err("please say on or off".to_owned()),
    }
}
