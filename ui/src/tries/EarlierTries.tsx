import { t } from "@lingui/core/macro";
import { type ReactNode, useId, useRef } from "react";

import { Result } from "./Result";
import { type Try, isNewestOf, isOver } from "./sentences";
import { StopOrHide } from "./StopOrHide";
import { authorName } from "../children/author";
import type { Child } from "../children/children";
import { capitalized, relativeTime } from "../format/dates";
import { isolated } from "../format/isolated";
import { unreadableSentence } from "../format/unreadable";
import { paths } from "../paths";
import { useFocusAfterRemoval } from "../ui/focus";
import { QuietLine } from "../ui/QuietLine";
import { Section } from "../ui/Section";
import { TextLink } from "../ui/TextLink";

interface EarlierTriesProps {
  child: Child;
  /** Newest first. */
  tries: readonly Try[];
  unreadable: number;
  /** Rendered after the list. */
  children: ReactNode;
}

/** The tries of the child's rules, with their results in short. */
export function EarlierTries({ child, tries, unreadable, children }: EarlierTriesProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { list, leave } = useFocusAfterRemoval<HTMLOListElement>({
    items: tries.map(({ try_id: id }) => String(id)),
    target: "a",
    fallback: heading,
  });
  return (
    <Section heading={t`Tries`} headingRef={heading} className="flex max-w-[65ch] flex-col gap-3">
      <QuietLine sentence={unreadableSentence(unreadable, "record")} />
      {tries.length === 0 ? (
        <p className="text-muted">{t`Nothing yet`}</p>
      ) : (
        <ol ref={list} className="flex flex-col divide-y divide-line border-y border-line">
          {tries.map((one) => (
            <TryItem
              key={one.try_id}
              child={child}
              one={one}
              isNewest={isNewestOf(one, tries)}
              onHide={() => leave(String(one.try_id))}
            />
          ))}
        </ol>
      )}
      {children}
    </Section>
  );
}

interface TryItemProps {
  child: Child;
  one: Try;
  isNewest: boolean;
  /** Called before it is hidden. */
  onHide: () => void;
}

function TryItem({ child, one, isNewest, onHide }: TryItemProps) {
  const { child_id: childId } = child;
  const { try_id: tryId } = one;
  const id = useId();
  return (
    <li className="flex flex-col gap-2 py-4 [overflow-wrap:anywhere]">
      <h3 id={id} className="font-bold">
        {tryName(one, new Date())}
      </h3>
      <Result one={one} isNewest={isNewest} isShort />
      <div className="flex flex-wrap items-center gap-x-5 print:hidden">
        {isOver(one) && (
          <TextLink to={paths.aTry(childId, tryId)} aria-describedby={id}>
            {t`Read the answers`}
          </TextLink>
        )}
        <StopOrHide child={child} one={one} onRemove={onHide} />
      </div>
    </li>
  );
}

/** "Today 4:20 PM · Kitchen · Ben" */
export function tryName({ started_at: at, assistant_name: name, by }: Try, now: Date): string {
  const who = by === undefined ? [] : [authorName(by)];
  return [capitalized(relativeTime(at, now)), isolated(name), ...who].join(" · ");
}
