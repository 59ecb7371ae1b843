//! The words that a setting may have: what the servers of the table's schemas know. Any other word could be a child's.

/// How much a model thinks or writes, and whether it does.
const CHOICES: &[&str] = &[
    "", "none", "minimal", "low", "medium", "high", "xhigh", "max", "auto", "enabled", "disabled",
    "on", "off", "true", "false",
];

/// Where an instruction can be one word: that a tool is called, that an answer is JSON.
const OF_INSTRUCTIONS: &[&str] = &["any", "json", "required", "text"];

/// Of `service_tier`, `modalities`, `audio`, `prompt_cache_retention`, `samplers` and `numa`, with the names of their fields.
#[rustfmt::skip]
const OF_SETTINGS: &[&str] = &[
    "default", "flex", "priority", "scale",
    "text", "audio",
    "voice", "format", "alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage", "shimmer", "verse",
    "aac", "flac", "mp3", "opus", "pcm16", "wav",
    "in_memory", "in-memory",
    "dry", "infill", "min_p", "penalties", "temperature", "top_k", "top_n_sigma", "top_p", "typ_p", "typical_p", "xtc",
    "distribute", "isolate", "numactl",
    "max_pattern_size", "min_pattern_size", "min_count",
];

/// The longest duration such as `24h` or `1h30m`, and the longest number, in bytes.
const LONGEST_NUMBER: usize = 16;

pub fn is_choice(word: &str) -> bool {
    CHOICES.contains(&word)
}

pub fn is_instruction(word: &str) -> bool {
    is_choice(word) || OF_INSTRUCTIONS.contains(&word)
}

pub fn is_setting(word: &str) -> bool {
    is_choice(word) || OF_SETTINGS.contains(&word) || is_number(word)
}

/// A number or a duration.
fn is_number(word: &str) -> bool {
    let number = word.strip_prefix('-').unwrap_or(word);
    let is_allowed = |byte: u8| byte.is_ascii_digit() || b".hms".contains(&byte);
    number.len() <= LONGEST_NUMBER
        && number.starts_with(|first: char| first.is_ascii_digit())
        && number.bytes().all(is_allowed)
}

/// An id without letters that could spell more than a short word: hexadecimal, such as a UUID.
pub fn is_hexadecimal(word: &str) -> bool {
    const LONGEST: usize = 64;
    let is_allowed = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
    word.len() <= LONGEST && word.bytes().all(is_allowed)
}
