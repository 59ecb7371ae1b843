-- What wrk asks, and how it prints what it has measured.
--
-- With BATCH: messages that were never delivered before, BATCH of them to one of SESSIONS sessions after the other. With
-- PATHS: one address after the other, a line each. Otherwise always the one of the command line.

local batch = tonumber(os.getenv("BATCH"))
local sessions = tonumber(os.getenv("SESSIONS"))
local run = os.getenv("RUN")
local sent = 0

local text = "Exactly. What is near rushes by and what is far stays. Shall we try it with your two thumbs, one near and one far?"

local function deliver()
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

local paths = {}
for path in string.gmatch(os.getenv("PATHS") or "", "[^\n]+") do
    paths[#paths + 1] = path
end

-- Each thread begins elsewhere, so that no two ask for the same at about the same time.
local threads = 0
setup = function(thread)
    thread:set("turn", threads)
    threads = threads + 1
end

local function ask_each()
    local number = (turn * math.floor(#paths / 2) + sent) % #paths + 1
    sent = sent + 1
    return wrk.format("GET", paths[number])
end

if batch then
    request = deliver
elseif #paths > 0 then
    request = ask_each
end

-- Requests, microseconds, the 99th percentile in microseconds, answers that were none or errors.
done = function(summary, latency)
    local errors = summary.errors
    print(string.format("measured %d %d %d %d", summary.requests, summary.duration, latency:percentile(99.0),
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
    print(string.format("%d not connected, %d not read, %d not written, %d of another status, %d too late",
        errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end
