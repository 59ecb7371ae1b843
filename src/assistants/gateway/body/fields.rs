//! What is decided about each name in a body, for OpenAI's and Ollama's API. What isn't here is dropped and named.
//!
//! The names are those of the schemas of OpenAI, Ollama, vLLM and llama.cpp (`tests/fixtures/gateway-fields`). About each we asked:
//! does a model read it, does it cut or rearrange the prompt, does it choose another model, does it show the rules?

use std::collections::HashMap;
use std::sync::LazyLock;

/// An object in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectType {
    /// A body for `/chat/completions`.
    OpenAi,
    /// A body for `/api/chat`.
    Ollama,
    OllamaOptions,
    StreamOptions,
    TemplateSettings,
    Reasoning,
    Thinking,
    OpenAiMessage,
    OllamaMessage,
    /// What only an assistant's message may have besides.
    AssistantMessage,
    ToolCall,
    Function,
    CustomCall,
    TextPart,
    RefusalPart,
    PicturePart,
    PictureAddress,
    SoundPart,
    Sound,
    FilePart,
    File,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldPolicy {
    /// Passes if it has no text: a few numbers, truth values and [known words](super::known_words). Otherwise it is dropped.
    Setting,
    /// Passes. Its text is kept once per change, as sent with the request.
    Instruction,
    /// Passes if it is a number, a truth value or a known word, such as `high`. Another short word is dropped. Anything else refuses
    /// the request, because templates write it into the prompt.
    Choice,
    /// Passes if it is one word. Otherwise the request is refused, because a prompt may show it.
    Id,
    /// Passes as the rest of this module allows. Otherwise the request is refused.
    Checked,
    Dropped,
    /// Refuses the request, unless it is empty.
    Refused,
    /// Passes with this value. Any other refuses the request.
    Only(&'static str),
}

use FieldPolicy::*;
use ObjectType::*;

/// Both APIs' bodies.
const BODY: &[ObjectType] = &[OpenAi, Ollama];

/// Messages of both APIs.
const MESSAGE: &[ObjectType] = &[OpenAiMessage, OllamaMessage];

#[rustfmt::skip]
pub const TABLE: &[(&[ObjectType], FieldPolicy, &[&str])] = &[
    // The request itself.
    (BODY, Checked, &["model", "messages", "stream"]),
    // One answer: the others would be written and not kept. (`n_cmpl` is llama.cpp's.)
    (BODY, Checked, &["n", "n_cmpl"]),
    // Becomes false: what is said isn't kept at a provider.
    (BODY, Checked, &["store"]),
    // Grouping reads these. A provider needs not know who is talking.
    (BODY, Checked, &["user", "safety_identifier", "metadata"]),
    (BODY, Checked, &["prompt_cache_key"]),
    // Objects with names of their own.
    (&[OpenAi], Checked, &["stream_options", "chat_template_kwargs", "reasoning", "thinking"]),
    (&[Ollama], Checked, &["options"]),

    // How an answer is sampled, and how long it is. A model reads none of it.
    (&[OpenAi], Setting, &[
        "temperature", "top_p", "top_k", "min_p", "typical_p", "top_n_sigma", "tfs_z", "top_a", "seed",
        "presence_penalty", "frequency_penalty", "repetition_penalty", "repeat_penalty", "repeat_last_n", "length_penalty",
        "mirostat", "mirostat_tau", "mirostat_eta", "dynatemp_range", "dynatemp_exponent", "xtc_probability", "xtc_threshold",
        "dry_multiplier", "dry_base", "dry_allowed_length", "dry_penalty_last_n", "adaptive_target", "adaptive_decay",
        "samplers", "min_keep", "watermarking", "backend_sampling", "use_beam_search", "repetition_detection",
        "max_tokens", "max_completion_tokens", "n_predict", "min_tokens", "n_indent", "t_max_predict_ms",
        "stop_token_ids", "allowed_token_ids", "ignore_eos", "include_stop_str_in_output",
        "skip_special_tokens", "spaces_between_special_tokens",
    ]),
    (&[OllamaOptions], Checked, &["num_predict"]),
    (&[OllamaOptions], Setting, &[
        "temperature", "top_p", "top_k", "min_p", "typical_p", "tfs_z", "seed",
        "presence_penalty", "frequency_penalty", "repeat_penalty", "repeat_last_n", "penalize_newline",
        "mirostat", "mirostat_tau", "mirostat_eta",
    ]),
    // How the machine runs the model.
    (&[OllamaOptions], Setting, &[
        "numa", "num_batch", "num_gpu", "main_gpu", "low_vram", "use_mmap", "use_mlock", "num_thread", "draft_num_predict",
    ]),
    (&[Ollama], Setting, &["keep_alive"]),
    (&[OpenAi], Setting, &["keep_alive", "cache_prompt", "n_cache_reuse", "sse_ping_interval"]),
    // How much a model thinks, and how an answer is served.
    (BODY, Choice, &["think"]),
    (&[OpenAi], Choice, &["reasoning_effort", "verbosity"]),
    (&[TemplateSettings], Choice, &["enable_thinking", "thinking", "thinking_budget", "reasoning_effort"]),
    // Not `exclude`: what a model thinks is kept.
    (&[Reasoning], Choice, &["effort", "max_tokens", "enabled"]),
    (&[Thinking], Choice, &["type", "budget_tokens"]),
    (&[OpenAi], Setting, &[
        "enable_thinking", "thinking_budget", "thinking_token_budget",
        "reasoning_budget_tokens", "reasoning_control",
        "modalities", "audio", "service_tier", "prompt_cache_retention", "prompt_cache_options",
        "parallel_tool_calls", "parse_tool_calls",
    ]),
    (BODY, Setting, &["logprobs", "top_logprobs", "logprob_token_ids", "stream_interval"]),
    (&[OpenAi], Setting, &["n_probs", "post_sampling_probs", "timings_per_token", "return_progress", "return_tokens_as_token_ids"]),
    (&[StreamOptions], Setting, &["include_usage", "include_obfuscation", "continuous_usage_stats"]),

    // Texts that a model reads, or that decide what it can say.
    (BODY, Instruction, &["tools"]),
    (&[OpenAi], Instruction, &["tool_choice", "functions", "function_call"]),
    (&[Ollama], Instruction, &["format"]),
    (&[OpenAi], Instruction, &[
        "response_format", "json_schema", "grammar", "structured_outputs", "structural_tag",
        "guided_json", "guided_regex", "guided_choice", "guided_grammar", "guided_decoding_backend", "guided_whitespace_pattern",
    ]),
    (&[OpenAi], Instruction, &["stop", "bad_words", "logit_bias", "dry_sequence_breakers"]),
    (&[OllamaOptions], Instruction, &["stop"]),

    // Hidden texts: a model reads them, and they are nobody's.
    (BODY, Refused, &["prompt", "input", "documents", "suffix", "system", "instructions", "context", "images"]),
    (BODY, Refused, &["input_prefix", "input_suffix", "input_extra", "previous_response_id", "conversation"]),
    // Cuts or rearranges the prompt.
    (BODY, Refused, &["chat_template", "template", "raw", "generation_prompt", "prefill_assistant"]),
    (BODY, Refused, &["truncate_prompt_tokens", "truncation_side", "truncation", "transforms"]),
    (BODY, Only("true"), &["add_generation_prompt"]),
    (BODY, Only("false"), &["continue_final_message"]),
    // Chooses other models.
    (BODY, Refused, &["models", "fallbacks"]),

    // An answer that was predicted is never shown.
    (BODY, Dropped, &["prediction"]),
    // Forget the beginning of the prompt first, where the rules are.
    (&[OpenAi], Dropped, &["n_keep", "n_discard"]),
    (&[OllamaOptions], Dropped, &["num_keep"]),
    (&[Ollama], Dropped, &["truncate", "shift"]),
    // Enough for the prompt and the answer, or the rules could be cut off.
    (&[OllamaOptions], Checked, &["num_ctx"]),
    // Answer with the prompt, and the rules are the parents'.
    (BODY, Dropped, &["_debug_render_only", "echo", "verbose", "prompt_logprobs", "return_prompt_text", "return_token_ids"]),
    (&[OpenAi], Dropped, &["return_tokens", "return_token_offsets", "return_assistant_tokens_mask", "return_mm_kwargs", "response_fields"]),
    // Leave a model's reasoning out of the answer, or mix it up.
    (&[OpenAi], Dropped, &["include_reasoning", "reasoning_format", "reasoning_in_content", "thinking_forced_open", "chat_format", "chat_parser"]),
    (&[OpenAi], Dropped, &[
        "reasoning_budget_message", "reasoning_budget_start_tag", "reasoning_budget_end_tag", "reasoning_budget_end_tags",
    ]),
    // Need a grammar that we don't show whole.
    (&[OpenAi], Dropped, &["grammar_lazy", "grammar_triggers", "grammar_type", "preserved_tokens"]),
    // Adds a search's results to the prompt, which Porchlight doesn't see.
    (&[OpenAi], Dropped, &["web_search_options"]),
    // For those who run a model's server.
    (&[OpenAi], Dropped, &[
        "lora", "id_slot", "add_special_tokens", "media_io_kwargs", "mm_processor_kwargs", "priority", "routed_experts_prompt_start", "request_id", "cache_salt",
        "kv_transfer_params", "ec_transfer_params", "vllm_xargs", "logits_processors", "session_id", "moderation",
    ]),
    (&[OllamaOptions], Dropped, &["f16_kv", "logits_all", "vocab_only", "embedding_only"]),

    // Messages.
    (MESSAGE, Checked, &["role", "content"]),
    (&[OpenAiMessage], Checked, &["name"]),
    (&[OllamaMessage], Checked, &["tool_name", "images"]),
    (MESSAGE, Id, &["tool_call_id"]),
    (&[AssistantMessage], Checked, &[
        "tool_calls", "function_call", "refusal", "reasoning", "reasoning_content", "thinking",
    ]),
    // An earlier answer that is kept at the provider: we don't see it.
    (&[AssistantMessage], Dropped, &["audio", "annotations"]),
    // Tools that one message brings.
    (&[OpenAiMessage], Dropped, &["tools", "task"]),
    (&[ToolCall], Id, &["id", "type", "index"]),
    (&[ToolCall], Checked, &["function", "custom"]),
    (&[Function], Checked, &["name", "arguments"]),
    (&[Function], Id, &["index"]),
    (&[CustomCall], Checked, &["name", "input"]),

    // Parts of a message's content.
    (&[TextPart, RefusalPart, PicturePart, SoundPart, FilePart], Id, &["type"]),
    (&[TextPart, RefusalPart, PicturePart, SoundPart, FilePart], Dropped, &["prompt_cache_breakpoint"]),
    (&[TextPart], Checked, &["text"]),
    (&[RefusalPart], Checked, &["refusal"]),
    (&[PicturePart], Checked, &["image_url", "image"]),
    // Names a picture that the server may have from another request.
    (&[PicturePart], Dropped, &["uuid"]),
    (&[PicturePart, PictureAddress], Id, &["detail"]),
    (&[PictureAddress], Checked, &["url"]),
    (&[SoundPart], Checked, &["input_audio"]),
    (&[Sound], Checked, &["data"]),
    (&[Sound], Id, &["format"]),
    // A file of OpenAI's older API is in `file`; of the newer one in the part itself.
    (&[FilePart], Checked, &["file"]),
    (&[FilePart, File], Checked, &["file_data", "filename"]),
    // A file that is kept at the provider, or anywhere.
    (&[FilePart, File], Refused, &["file_id", "file_url"]),
];

/// The rule for a name, from the first of these levels that has it. `None` if it is unknown.
pub fn rule(levels: &[ObjectType], name: &str) -> Option<(&'static str, FieldPolicy)> {
    type Rules = HashMap<(ObjectType, &'static str), (&'static str, FieldPolicy)>;
    static RULES: LazyLock<Rules> = LazyLock::new(|| {
        let mut rules = HashMap::new();
        for (levels, rule, names) in TABLE {
            for level in *levels {
                let rows = names.iter().map(|name| ((*level, *name), (*name, *rule)));
                rules.extend(rows);
            }
        }
        rules
    });
    let mut found = levels.iter().map(|level| RULES.get(&(*level, name)));
    found.find_map(|found| found.copied())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_name_has_one_row_at_each_level() {
        let mut seen = HashSet::new();
        for (levels, _, names) in TABLE {
            for level in *levels {
                for name in *names {
                    assert!(seen.insert((level, name)), "{level:?} {name}");
                }
            }
        }
    }
}
