import type { Act } from "./editing";
import { Button } from "../ui/Button";
import { TextField } from "../ui/TextField";

interface AddTopicProps {
  box: string;
  saving: boolean;
  act: (act: Act) => void;
}

/** A topic of one's own, to type. While a save is under way everything stays focusable, so that nobody loses their place. */
export function AddTopic({ box, saving, act }: AddTopicProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act({ act: "add" });
      }}
      className="flex flex-col gap-2 sm:flex-row sm:items-end"
    >
      <div className="min-w-0 flex-1">
        <TextField
          label="A topic of your own"
          placeholder="Enter custom topic to block..."
          value={box}
          onChange={(event) => act({ act: "type", text: event.target.value })}
          readOnly={saving}
          aria-disabled={saving}
          dir="auto"
          autoComplete="off"
          enterKeyHint="done"
          className="transition-colors aria-disabled:bg-quiet aria-disabled:text-muted aria-disabled:delay-200"
        />
      </div>
      <Button type="submit" disabled={box.trim() === ""} busy={saving} busyLabel="Adding...">
        Add Topic
      </Button>
    </form>
  );
}
