import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronDownIcon } from "lucide-react";
import { useId, useState } from "react";

import { MOST_PHRASES, type Phrase, isWatched } from "./phrases";
import { useChangePhrases } from "./queries";
import { SideName } from "./sides";
import { type Language, type StartingList, languageOf, languages, startingLists } from "./starting-lists";
import { triedSentence, useTry } from "./trying";
import { WhatNow } from "./WhatNow";
import { Failure } from "../api/Failure";
import { errorMessage } from "../api/problem";
import type { Child } from "../children/children";
import { Button } from "../ui/Button";
import { Check } from "../ui/Check";
import { Disclosure } from "../ui/Disclosure";

interface StartingListsProps {
  child: Child;
  watched: readonly Phrase[];
  /** Puts a phrase into the form, to change it. */
  onChange: (phrase: Phrase) => void;
}

/** Phrases to begin with. None is watched before it is chosen. */
export function StartingLists({ child, watched, onChange }: StartingListsProps) {
  const [language, setLanguage] = useState<Language>(() => languageOf(navigator.languages));
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 id={id} className="font-bold">
          <Trans>Phrases to begin with</Trans>
        </h3>
        <label className="flex items-center gap-2 text-sm">
          <Trans>Language</Trans>
          <span className="relative">
            <select
              value={language}
              onChange={({ target }) => setLanguage(languageOf([target.value]))}
              className="min-h-11 max-w-full min-w-0 appearance-none rounded-control border border-edge bg-surface py-1 pe-9 ps-3 text-base"
            >
              {Object.entries(languages).map(([code, name]) => (
                <option key={code} value={code} lang={code}>
                  {name}
                </option>
              ))}
            </select>
            <ChevronDownIcon className="pointer-events-none absolute top-1/2 end-2 size-5 -translate-y-1/2 text-muted" />
          </span>
        </label>
      </div>
      {startingLists(language).map((list) => (
        <OneList key={`${language} ${list.title}`} {...{ child, watched, onChange, language, list }} />
      ))}
    </section>
  );
}

interface OneListProps extends StartingListsProps {
  language: Language;
  list: StartingList;
}

function OneList({ child, watched, onChange, language, list }: OneListProps) {
  const [isOpen, setOpen] = useState(false);
  const chosen = list.phrases.filter((phrase) => isWatched(watched, phrase)).length;
  return (
    <Disclosure
      isCard
      summary={
        <>
          {list.title}
          {chosen > 0 && (
            <span className="text-sm font-normal text-muted">
              {" · "}
              {plural(chosen, { one: "# watched", other: "# watched" })}
            </span>
          )}
        </>
      }
      onToggle={setOpen}
    >
      {isOpen && list.helpTopic !== null && (
        <div className="border-t border-line px-4 pt-2">
          <p className="text-sm text-muted">
            <Trans>This rings for every guardian who watches, also for one it may be about.</Trans>
          </p>
          <WhatNow child={child} topic={list.helpTopic} />
        </div>
      )}
      <ul aria-label={list.title} className="divide-y divide-line border-t border-line px-4">
        {isOpen &&
          list.phrases.map((phrase) => (
            <Choice key={phrase.words} {...{ child, watched, onChange, language, phrase }} />
          ))}
      </ul>
    </Disclosure>
  );
}

interface ChoiceProps extends StartingListsProps {
  language: Language;
  phrase: Phrase;
}

/** A phrase that is watched as long as it is ticked. */
function Choice({ child, watched, onChange, language, phrase }: ChoiceProps) {
  const id = useId();
  const tried = useTry(child.child_id, phrase, true);
  const change = useChangePhrases(child.child_id);
  const isOn = isWatched(watched, phrase);
  /** While it is being saved. */
  const [wanted, setWanted] = useState<boolean | null>(null);
  const toggle = () => {
    if (wanted !== null) return;
    setWanted(!isOn);
    change.mutate({ kind: isOn ? "stop" : "watch", phrase }, { onSettled: () => setWanted(null) });
  };
  const isFull = !isOn && watched.length >= MOST_PHRASES;
  return (
    <li className="flex flex-wrap items-center gap-x-3 py-2">
      <Check
        className="min-w-[min(14rem,100%)] flex-1"
        checked={wanted ?? isOn}
        disabled={isFull}
        aria-describedby={id}
        onChange={toggle}
      >
        <span id={`${id}-words`} lang={language} className="font-bold">
          {phrase.words}
        </span>{" "}
        <span className="text-sm text-muted">
          <SideName side={phrase.side} childName={child.name} />
        </span>
      </Check>
      <Button look="quiet" className="-me-4" about={`${id}-words`} onClick={() => onChange(phrase)}>
        <Trans>Change</Trans>
      </Button>
      <p id={id} className="basis-full pb-1 ps-8 text-sm text-muted">
        {tried.data !== undefined
          ? triedSentence(tried.data)
          : tried.error === null
            ? t`Loading...`
            : errorMessage(tried.error)}
      </p>
      <Failure error={change.error} />
    </li>
  );
}
