import { Alert } from "./Alert";
import { Button } from "./Button";

/** What happened, in the server's words, and a way to try again. */
export function ErrorState({
  sentence,
  onRetry,
  busy = false,
}: {
  sentence: string;
  onRetry: () => void;
  busy?: boolean;
}) {
  return (
    <div className="flex flex-col items-start gap-4">
      <Alert kind="error">{sentence}</Alert>
      <Button look="plain" onClick={onRetry} aria-disabled={busy}>
        Try again
      </Button>
    </div>
  );
}
