import { plural } from "@lingui/core/macro";

type Kind = "message" | "session" | "activity" | "alert" | "day" | "record";

/** The message about rows that could not be read; null if there are none. */
export function unreadableSentence(count: number, kind: Kind): string | null {
  return count === 0 ? null : sentence(count, kind);
}

function sentence(count: number, kind: Kind): string {
  switch (kind) {
    case "message":
      return plural(count, { one: "# message could not be read", other: "# messages could not be read" });
    case "session":
      return plural(count, {
        one: "# conversation could not be read",
        other: "# conversations could not be read",
      });
    case "activity":
      return plural(count, { one: "# activity could not be read", other: "# activities could not be read" });
    case "alert":
      return plural(count, { one: "# alert could not be read", other: "# alerts could not be read" });
    case "day":
      return plural(count, { one: "# day could not be read", other: "# days could not be read" });
    case "record":
      return plural(count, { one: "# record could not be read", other: "# records could not be read" });
  }
}
