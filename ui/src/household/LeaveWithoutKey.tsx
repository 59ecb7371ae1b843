import { AskBeforeLeaving } from "../children/AskBeforeLeaving";

/** While a key is shown, because that happens once. */
export function LeaveWithoutKey({ name }: { name: string }) {
  return (
    <AskBeforeLeaving title="Leave without the key?" stay="Stay here">
      The key of <bdi>{name}</bdi> is shown only now.
    </AskBeforeLeaving>
  );
}
