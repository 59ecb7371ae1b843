import { argumentOf, type ErrorText, failureSentence, hasCode } from "./problem";
import { Alert } from "../ui/Alert";
import type { Words } from "../ui/language";
import { TextLink } from "../ui/TextLink";

interface FailureProps {
  /** Of a query or a mutation. Null if it didn't fail. */
  error: unknown;
  text?: ErrorText | Words;
}

/** Says why something failed, with a link if that has to be done at another address; nothing if it didn't. */
export function Failure({ error, text }: FailureProps) {
  const sentence = failureSentence(error, text);
  if (sentence === null) return null;
  const url = hasCode(error, "open_the_name") ? argumentOf(error, "url") : null;
  return (
    <Alert kind="error">
      {sentence}
      {url !== null && (
        <p>
          <TextLink href={url}>{url}</TextLink>
        </p>
      )}
    </Alert>
  );
}
