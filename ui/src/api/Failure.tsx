import { type ErrorText, failureSentence } from "./problem";
import { Alert } from "../ui/Alert";
import type { Words } from "../ui/language";

interface FailureProps {
  /** Of a query or a mutation. Null if it didn't fail. */
  error: unknown;
  text?: ErrorText | Words;
}

/** Says why something failed; nothing if it didn't. */
export function Failure({ error, text }: FailureProps) {
  const sentence = failureSentence(error, text);
  return sentence === null ? null : <Alert kind="error">{sentence}</Alert>;
}
