-- Prints what was measured in a form that a program reads:
-- requests, microseconds, the 99th percentile in microseconds, answers that were none or errors.
done = function(summary, latency)
    local errors = summary.errors
    print(string.format("measured %d %d %d %d", summary.requests, summary.duration, latency:percentile(99.0),
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
    print(string.format("%d not connected, %d not read, %d not written, %d of another status, %d too late",
        errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end
