#!/bin/bash
# Connects an assistant to Porchlight. KEY and URL are those of docs/quickstart.md. Loses nothing while the server is away.
# For your own assistant: put `instructions` of $BOX/rules into the prompt, send "set" or "in_prompt" once they are there,
# and check `talk` before each turn.
set -euo pipefail

BOX=${BOX:-$(mktemp -d)}                         # for real use, a folder that survives a restart
SESSION=${SESSION:-$(date -u +%Y%m%dT%H%M%SZ)}   # write it down there, too
call() { curl -sS -m 5 -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"; }

# Keeps messages on the disk until Porchlight has stored them. A text must have no quotation marks here: use a JSON library.
add() { printf '{"session": "%s", "child_id": 1, %s}' "$SESSION" "$1" >"$BOX/$(date +%s%N).json"; }
heard() { add "\"messages\": [{\"message_id\": \"$1\", \"source\": \"$2\", \"text_content\": \"$3\", \"timestamp\": \"$(date -u +%FT%TZ)\"}]"; }

# Fetches newer rules before each turn. While Porchlight is away, the last ones stay in force.
fetch_rules() {
  STATUS=$(call -o "$BOX/answer" -D "$BOX/head" -w '%{http_code}' -H "If-None-Match: ${ETAG:-}" "$URL/child/1/rules") || return 0
  [ "$STATUS" = 200 ] || return 0
  mv "$BOX/answer" "$BOX/rules"
  ETAG=$(tr -d '\r' <"$BOX/head" | sed -n 's/^etag: //Ip')
  add "\"rules\": [{\"version\": \"$(sed -n 's/.*"version":"\([^"]*\)".*/\1/p' "$BOX/rules")\", \"evidence\": \"fetched\"}]"
}

# Sends unacknowledged deliveries again, unchanged.
deliver() {
  for one in "$BOX"/*.json; do
    case $(call -o "$BOX/answer" -w '%{http_code}' -d "@$one" "$URL/deliveries" || true) in
      2*) rm "$one" ;;
      400 | 404 | 413 | 415 | 422) mv "$one" "$one.refused" ;;   # refused for good: read the response
      *) break ;;                                                # try again later, with growing pauses
    esac
  done
}

fetch_rules; heard 1 child "Why is the sea salty?"; deliver
fetch_rules; heard 2 assistant "Rivers bring the salt."; add '"completion": {}'; deliver
