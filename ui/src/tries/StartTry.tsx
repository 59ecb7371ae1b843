import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { useNavigate } from "react-router";

import { Questions } from "./Questions";
import { useStart } from "./queries";
import { type Preview, promptSentence } from "./sentences";
import { readerGets, sizeSentence, whereSentence } from "./preview";
import { Failure } from "../api/Failure";
import { useGetChildLanguage } from "../api/generated/client/rules/rules";
import { usePreviewTry } from "../api/generated/client/tries/tries";
import type { components } from "../api/generated/schema";
import { QueryView } from "../api/QueryView";
import type { Child } from "../children/children";
import { relativeTime } from "../format/dates";
import { isolated } from "../format/isolated";
import { plainText } from "../format/plain-text";
import { type Language, childLanguages as languages } from "../identity/ChildLanguageField";
import { paths } from "../paths";
import { BUSY, Button } from "../ui/Button";
import { Disclosure } from "../ui/Disclosure";
import { languageName } from "../ui/language";
import { RadioGroup } from "../ui/RadioGroup";
import { Section } from "../ui/Section";
import { SelectField } from "../ui/SelectField";
import { Skeleton } from "../ui/Skeleton";

type Assistant = components["schemas"]["OwnAssistant"];

interface StartTryProps {
  child: Child;
  /** Not empty. */
  assistants: readonly Assistant[];
}

/** Chooses whom to ask in which language, says what is sent where, and starts a try. */
export function StartTry({ child, assistants }: StartTryProps) {
  const [chosen, choose] = useState<string>();
  const [chosenLanguage, chooseLanguage] = useState<Language>();
  const spoken = useGetChildLanguage(child.child_id, { query: { select: ({ data }) => data.language } });
  const language = chosenLanguage ?? spoken.data ?? languages.find((one) => one === i18n.locale) ?? "en";
  const assistant = assistants.find(({ assistant_id: id }) => id === chosen) ?? assistants[0];
  if (assistant === undefined) return null;
  if (spoken.isPending) return previewSkeleton;
  return (
    <Section heading={t`Start a try`} className="flex max-w-[65ch] flex-col gap-4 print:hidden">
      {assistants.length > 1 && (
        <RadioGroup
          legend={t`Which assistant?`}
          options={assistants.map(({ assistant_id: value, name }) => ({
            value,
            label: <bdi>{plainText(name)}</bdi>,
          }))}
          chosen={assistant.assistant_id}
          onChoose={choose}
        />
      )}
      <SelectField
        label={t`Language of the questions`}
        value={language}
        onChange={(value) => chooseLanguage(languages.find((one) => one === value))}
      >
        {languages.map((one) => (
          <option key={one} value={one} lang={one}>
            {languageName(one)}
          </option>
        ))}
      </SelectField>
      <WhatIsAsked
        key={`${assistant.assistant_id} ${language}`}
        child={child}
        assistant={assistant}
        language={language}
      />
    </Section>
  );
}

interface WhatIsAskedProps {
  child: Child;
  assistant: Assistant;
  language: Language;
}

function WhatIsAsked({ child, assistant, language }: WhatIsAskedProps) {
  const query = usePreviewTry(
    child.child_id,
    { assistant: assistant.assistant_id, language },
    // The rules may change at any time, and with them what is asked.
    { query: { staleTime: 0 } },
  );
  return (
    <QueryView query={query} loading={{ skeleton: previewSkeleton }}>
      {({ data }) => <Loaded child={child} preview={data} />}
    </QueryView>
  );
}

function Loaded({ child, preview }: { child: Child; preview: Preview }) {
  const { child_id: childId } = child;
  const navigate = useNavigate();
  const start = useStart(childId, (tryId) => void navigate(paths.aTry(childId, tryId)));
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const { assistant_id: assistant, language, questions, private: isPrivate, allowed_at: allowedAt } = preview;
  const toAsk = questions.filter(({ question_id: id }) => !leftOut.has(id));
  const isTooSoon = allowedAt !== undefined && new Date(allowedAt) > new Date();
  const gets = readerGets(preview);
  const alone = promptSentence(preview);
  const begin = () => {
    const chosen = toAsk.map(({ question_id: id }) => id);
    start.mutate({ childId, data: { assistant, language, questions: chosen } });
  };
  const list = <Questions child={child} questions={questions} leftOut={leftOut} onChange={setLeftOut} />;
  return (
    <>
      <div className="flex flex-col gap-2 [overflow-wrap:anywhere]">
        <p>
          <strong>{sizeSentence(preview, leftOut)}</strong> {whereSentence(preview)}
        </p>
        {gets !== null && <p>{gets}</p>}
        {alone !== null && <p className="text-sm text-muted">{alone}</p>}
      </div>
      {isPrivate ? (
        <Disclosure summary={t`Questions`} className="border-y border-line">
          {list}
        </Disclosure>
      ) : (
        <Section level={3} heading={t`Questions`} about={t`They leave your home. Untick what must not.`}>
          {list}
        </Section>
      )}
      <div className="flex flex-col items-start gap-2">
        <Button
          disabled={isTooSoon || toAsk.length === 0}
          aria-describedby="try-when"
          busy={start.isPending}
          busyLabel={BUSY}
          onClick={begin}
        >
          {t`Ask ${{ name: isolated(preview.assistant_name) }} now`}
        </Button>
        <p id="try-when" className="text-sm text-muted">
          {isTooSoon ? (
            <Trans>
              You have tried these rules today. The next try can start{" "}
              {{ time: relativeTime(allowedAt, new Date()) }}.
            </Trans>
          ) : (
            t`One a day. Every guardian sees that it was started, and the result.`
          )}
        </p>
        <Failure error={start.error} />
      </div>
    </>
  );
}

const previewSkeleton = <Skeleton shapes={["h-12", "h-11", "h-11 w-40"]} className="flex-col gap-4" />;
