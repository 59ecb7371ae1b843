import { plural } from "@lingui/core/macro";

type Kind = "message" | "record";

/** The message about rows that could not be read; null if there are none. */
export function unreadableSentence(count: number, kind: Kind): string | null {
  return count === 0 ? null : sentence(count, kind);
}

function sentence(count: number, kind: Kind): string {
  return kind === "message"
    ? plural(count, { one: "# message could not be read", other: "# messages could not be read" })
    : plural(count, { one: "# record could not be read", other: "# records could not be read" });
}
