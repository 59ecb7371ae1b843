import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { NewMessage } from "./assistant";

interface RecordedItem {
  id: string;
  type: string;
  role: string;
  content: string[];
  interrupted: boolean;
  created_at: number;
}

/**
 * A recorded conversation with a LiveKit agent, with times shifted so that it ends now. Each item of type `message` is one
 * message.
 */
export function recordedConversation(): NewMessage[] {
  const lines = readFileSync(join(import.meta.dirname, "../../tests/fixtures/livekit-events.jsonl"), "utf8")
    .trim()
    .split("\n");
  const items = lines
    .map((line): { type: string; item: RecordedItem } => JSON.parse(line))
    .filter(({ type, item }) => type === "conversation_item_added" && item.type === "message")
    .map(({ item }) => item);
  const ago = Date.now() / 1000 - Math.max(...items.map((item) => item.created_at));
  return items.map((item) => ({
    message_id: item.id,
    source: item.role === "assistant" ? "assistant" : "child",
    text_content: item.content.join(""),
    timestamp: new Date((item.created_at + ago) * 1000).toISOString(),
    ...(item.interrupted && { interrupted: true }),
  }));
}
