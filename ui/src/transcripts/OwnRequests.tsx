import { Bubble } from "./Bubble";
import type { RequestsRow } from "./rows";

interface OwnRequestsProps {
  row: RequestsRow;
  childName: string;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

/** What nobody said, closed at first. A virtual list removes it out of sight, so its parent knows whether it is open. */
export function OwnRequests({ row, childName, isOpen, onToggle }: OwnRequestsProps) {
  return (
    <details open={isOpen} onToggle={(event) => onToggle(event.currentTarget.open)} className="pt-2">
      <summary className="min-h-11 w-fit cursor-pointer md:ml-6 py-2.5 text-sm text-muted">
        {requestsHeading(row)}
      </summary>
      {row.messages.map((message) => (
        <Bubble key={message.id} row={message} childName={childName} />
      ))}
    </details>
  );
}

export function requestsHeading({ messages }: RequestsRow): string {
  return `The app's own requests (${messages.length})`;
}
