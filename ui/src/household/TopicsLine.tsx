import { paths } from "../paths";
import type { Attention } from "../rules/receipts";
import { TextLink } from "../ui/TextLink";

interface TopicsLineProps {
  childId: number;
  /** The assistant's. */
  name: string;
  attention: Attention;
}

/** What a guardian should know of an assistant's list of topics. Only a refused list needs attention: the others may still come. */
export function TopicsLine({ childId, name, attention }: TopicsLineProps) {
  const list = (words: string) => (
    <TextLink isInline to={paths.section(childId, "topic-blocklist")} className="font-normal">
      {words}
    </TextLink>
  );
  if (attention.kind === "refused") {
    return (
      <p className="text-sm">
        <strong className="text-danger">Needs attention</strong>
        {" · "}
        {list("Topic Block List")}: {attention.details}
      </p>
    );
  }
  return (
    <p className="text-sm">
      <bdi>{name}</bdi>{" "}
      {attention.kind === "silent" ? (
        <>doesn't have {list("your topics")} yet.</>
      ) : (
        <>got {list("your topics")}, but hasn't said that it uses them.</>
      )}
    </p>
  );
}
