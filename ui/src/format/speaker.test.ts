import { expect, test } from "vitest";

import { type MessageKind, messageName, speakerClass, speakerName, speakerOf } from "./speaker";

test("the label of the child, and of the assistant whose name is known, is replaced by the name", () => {
  const labels = ["child", "assistant", "Child", "Grandma", " ", "", undefined].map((label) =>
    speakerOf(label),
  );

  expect(labels.map((label) => speakerName(label, "Mia"))).toEqual([
    "Mia",
    "assistant",
    "Child",
    "Grandma",
    "unknown",
    "unknown",
    "unknown",
  ]);
  expect(labels.map((label) => speakerName(label, "Mia", "Kitchen")).slice(0, 4)).toEqual([
    "Mia",
    "Kitchen",
    "Child",
    "Grandma",
  ]);
  expect(speakerName("assistant", "Mia", " ")).toBe("assistant");
});

test("labels are capitalised, names aren't", () => {
  expect(["child", "assistant", "unknown"].map((label) => speakerClass(label))).toEqual([
    "",
    "first-letter:uppercase",
    "first-letter:uppercase",
  ]);
});

test("the gateway's labels of an app and of a tool are names", () => {
  expect(["app", "tool"].map((label) => speakerName(label, "Mia", "Kitchen"))).toEqual(["The app", "A tool"]);
});

test("a message that was not said in the conversation has the name of what it is", () => {
  const unsaid: MessageKind[] = ["background", "earlier", "instructions", "reasoning", "tool"];

  expect(messageName({ speaker: "assistant" }, "Mia", "Kitchen")).toBe("Kitchen");
  expect(unsaid.map((kind) => messageName({ speaker: "child", unsaid: kind }, "Mia"))).toEqual([
    "Not said by anybody",
    "Mia, earlier",
    "Instructions sent with the request",
    "The AI's working notes",
    "What a tool answered",
  ]);
});
