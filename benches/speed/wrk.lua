-- The requests that wrk sends, and the format of its result.
--
-- With BATCH set: POST requests of BATCH new messages each, to SESSIONS sessions in turn. With PATHS set: GET requests
-- for those paths in turn, one path per line. Otherwise: GET requests for the URL on the command line.

local batch = tonumber(os.getenv("BATCH"))
local sessions = tonumber(os.getenv("SESSIONS"))
local child = os.getenv("CHILD")
local id_prefix = os.getenv("ID_PREFIX")
local sent = 0

local text = "Exactly. What is near rushes by and what is far stays. Shall we try it with your two thumbs, one near and one far?"

local function deliver()
    local messages = {}
    -- What is old would end the session at each delivery.
    local now = os.date("!%Y-%m-%dT%H:%M:%SZ")
    for position = 1, batch do
        messages[position] = string.format(
            '{"message_id":"%s-%d-%d","source":"child","text_content":"%s","timestamp":"%s"}',
            id_prefix, sent, position, text, now)
    end
    local body = string.format('{"session":"bench-%d","child_id":%s,"messages":[%s]}',
        sent % sessions, child, table.concat(messages, ","))
    sent = sent + 1
    return wrk.format("POST", "/api/assistant/deliveries", nil, body)
end

local paths = {}
for path in string.gmatch(os.getenv("PATHS") or "", "[^\n]+") do
    paths[#paths + 1] = path
end

-- Each thread starts at a different path, so that no two threads request the same path at about the same time.
local threads = 0
setup = function(thread)
    thread:set("thread_index", threads)
    threads = threads + 1
end

local function get_each()
    local index = (thread_index * math.floor(#paths / 2) + sent) % #paths + 1
    sent = sent + 1
    return wrk.format("GET", paths[index])
end

if batch then
    request = deliver
elseif #paths > 0 then
    request = get_each
end

-- Requests, duration in microseconds, 99th percentile in microseconds, failed requests.
done = function(summary, latency)
    local errors = summary.errors
    print(string.format("result %d %d %d %d", summary.requests, summary.duration, latency:percentile(99.0),
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
    print(string.format("errors: %d connect, %d read, %d write, %d status, %d timeout",
        errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end
