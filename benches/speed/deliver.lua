-- Delivers messages that were never delivered before: BATCH of them to one of SESSIONS sessions after the other.
local batch = tonumber(os.getenv("BATCH"))
local sessions = tonumber(os.getenv("SESSIONS"))
local run = os.getenv("RUN")
local sent = 0

local text = "Exactly. What is near rushes by and what is far stays. Shall we try it with your two thumbs, one near and one far?"

request = function()
    local messages = {}
    for position = 1, batch do
        messages[position] = string.format(
            '{"message_id":"%s-%d-%d","source":"child","text_content":"%s","timestamp":"2026-11-21T%02d:%02d:%02dZ"}',
            run, sent, position, text, sent / 3600 % 24, sent / 60 % 60, sent % 60)
    end
    local path = string.format("/api/assistant/sessions/bench-%d/messages", sent % sessions)
    sent = sent + 1
    return wrk.format("POST", path, nil, "[" .. table.concat(messages, ",") .. "]")
end

done = function(summary, latency)
    local errors = summary.errors
    print(string.format("measured %d %d %d %d", summary.requests, summary.duration, latency:percentile(99.0),
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
    print(string.format("%d not connected, %d not read, %d not written, %d of another status, %d too late",
        errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end
