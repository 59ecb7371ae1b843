import type { I18n } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { I18nProvider, useLingui } from "@lingui/react";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { InLanguage } from "./InLanguage";
import { type PageEdition, pageText } from "./page-text";
import { Failure } from "../api/Failure";
import {
  getGetChildNoticeQueryKey,
  useChooseChildNoticeEdition,
  useGetChildNotice,
} from "../api/generated/client/children/children";
import { useGetRetention } from "../api/generated/client/household/household";
import { useGetChildLanguage } from "../api/generated/client/rules/rules";
import type { components } from "../api/generated/schema";
import { QueryView } from "../api/QueryView";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { plainText } from "../format/plain-text";
import type { RetentionDays } from "../format/retention";
import { paths } from "../paths";
import { SavedNote } from "../schedule/SavedNote";
import { BackLink } from "../ui/BackLink";
import { Button } from "../ui/Button";
import { languageName, languages, useLanguage } from "../ui/language";
import { Mark } from "../ui/Mark";
import { PageHeading } from "../ui/PageHeading";
import { SelectField } from "../ui/SelectField";
import { Skeleton } from "../ui/Skeleton";
import { TextField } from "../ui/TextField";
import { RadioGroup } from "../ui/RadioGroup";
import { Disclosure } from "../ui/Disclosure";

type ChildNotice = components["schemas"]["ChildNotice"];

/** Tells a child what is kept, to show or to print. The guardian's controls are above it, and aren't printed. */
export const ChildNoticePage = childPage(
  msg`The page for your child`,
  Page,
  <Trans>There is no such child here.</Trans>,
);

function Page({ child }: { child: Child }) {
  const query = useGetChildNotice(child.child_id, { query: { select: ({ data }) => data } });
  const retention = useGetRetention(child.child_id, { query: { select: ({ data }) => data } });
  const spoken = useGetChildLanguage(child.child_id, { query: { select: ({ data }) => data.language } });
  return (
    <main
      id="main"
      className="mx-auto flex max-w-[44rem] flex-col gap-6 px-4 pt-[calc(env(safe-area-inset-top)+1.25rem)] pb-10 md:px-6 print:p-0"
    >
      <div className="flex flex-col gap-2 print:hidden">
        <div className="flex flex-col">
          <BackLink
            to={paths.section(child.child_id, "settings/profile")}
          >{t`${{ name: child.name }}'s profile`}</BackLink>
          <PageHeading>{t`A page for ${{ name: child.name }}`}</PageHeading>
        </div>
        <p>
          <Trans>It does not say what you block or look for.</Trans>
        </p>
      </div>
      <QueryView query={query} loading={loading}>
        {(page) => (
          <QueryView query={retention} loading={loading}>
            {({ days }) =>
              spoken.isPending ? (
                loading.skeleton
              ) : (
                <Edited child={child} page={page} days={days} spoken={spoken.data} />
              )
            }
          </QueryView>
        )}
      </QueryView>
    </main>
  );
}

const loading = {
  skeleton: <Skeleton shapes={["h-8", "h-5 max-w-md", "h-5 max-w-md"]} />,
};

function editions(): readonly { value: PageEdition; label: string; hint?: string }[] {
  return [
    { value: "younger", label: t`6 to 9` },
    {
      value: "older",
      label: t`10 and older`,
      hint: t`Once it is saved, Summary has no 'Something to talk about' unless a guardian turns it on.`,
    },
  ];
}

interface EditedProps {
  child: Child;
  page: ChildNotice;
  /** For how long conversations are kept. */
  days: RetentionDays;
  /** The language that the child speaks, if it is known. */
  spoken: string | undefined;
}

function Edited({ child, page, days, spoken }: EditedProps) {
  const queries = useQueryClient();
  const { child_id: childId, name } = child;
  const save = useChooseChildNoticeEdition({
    mutation: {
      onSuccess: () => queries.invalidateQueries({ queryKey: getGetChildNoticeQueryKey(childId) }),
    },
  });
  const [chosen, setChosen] = useState(page.edition);
  const [names, setNames] = useState<Names>(() => namesOf(page));
  const [chosenLanguage, chooseLanguage] = useState<string>();
  const pagesLanguage = useLanguage();
  const language = chosenLanguage ?? spoken ?? pagesLanguage;
  const [wordings, setWordings] = useState<Readonly<Record<string, string | undefined>>>({});
  const wordingKey = `${chosen} ${language}`;
  return (
    <>
      <div className="flex flex-col gap-5 print:hidden">
        <div className="flex flex-col gap-2">
          <RadioGroup legend={t`For what age?`} options={editions()} chosen={chosen} onChoose={setChosen} />
          <div className="flex flex-wrap items-center gap-3">
            <Button
              look="plain"
              disabled={chosen === undefined || chosen === page.edition}
              busy={save.isPending}
              onClick={() => chosen !== undefined && save.mutate({ childId, data: { edition: chosen } })}
            >
              <span className="[overflow-wrap:anywhere]">
                <Trans>Save as {name}&apos;s page</Trans>
              </span>
            </Button>
            <SavedNote shown={save.isSuccess && chosen === page.edition} />
          </div>
          <Failure error={save.error} />
        </div>
        <SelectField
          label={t`Language of the page`}
          hint={t`For this page alone, and not saved.`}
          value={language}
          onChange={chooseLanguage}
        >
          {languages.map((one) => (
            <option key={one} value={one} lang={one}>
              {languageName(one)}
            </option>
          ))}
        </SelectField>
      </div>
      {chosen !== undefined && (
        <InLanguage language={language} loading={loading}>
          {(i18n) => {
            const text = wordings[wordingKey] ?? standardText(chosen, page, names, days, i18n);
            return (
              <>
                <div className="flex flex-col gap-5 print:hidden">
                  <Changes
                    names={names}
                    onName={setNames}
                    language={i18n.locale}
                    wording={text}
                    isOwn={wordings[wordingKey] !== undefined}
                    onWording={(wording) => setWordings({ ...wordings, [wordingKey]: wording })}
                  />
                  <Button className="self-start" onClick={() => print()}>
                    <Trans>Print</Trans>
                  </Button>
                </div>
                <I18nProvider i18n={i18n}>
                  <Letter name={name} text={text} />
                </I18nProvider>
              </>
            );
          }}
        </InLanguage>
      )}
    </>
  );
}

function standardText(
  edition: PageEdition,
  page: ChildNotice,
  names: Names,
  days: RetentionDays,
  i18n: I18n,
): string {
  const pageNames = {
    child: plainText(page.child_name),
    grownUps: filled(names.grownUps),
    assistants: filled(names.assistants),
    helpline: page.helpline,
    days,
    reviewed: page.reviewed,
    age: page.age,
    toldAge: filled(namedIn(page.told_age, page, names)),
    tested: filled(namedIn(page.tested, page, names)),
  };
  return pageText(edition, pageNames, i18n).join("\n\n");
}

interface ChangesProps {
  names: Names;
  onName: (names: Names) => void;
  language: string;
  wording: string;
  /** Whether the guardian has changed the wording. */
  isOwn: boolean;
  /** Undefined for the standard wording. */
  onWording: (wording: string | undefined) => void;
}

function Changes({ names, onName, language, wording, isOwn, onWording }: ChangesProps) {
  return (
    <Disclosure summary={t`Change names and wording`} className="border-y border-line">
      <div className="flex flex-col pb-4">
        <p className="text-sm text-muted">
          <Trans>For this page alone, and not saved.</Trans>
        </p>
        <NameFields
          label={t`What your child calls the grown-up`}
          names={names.grownUps}
          onChange={(grownUps) => onName({ ...names, grownUps })}
        />
        <NameFields
          label={t`What your child calls the assistant`}
          names={names.assistants}
          onChange={(assistants) => onName({ ...names, assistants })}
        />
        <label className="flex flex-col gap-1.5 pt-4">
          <span className="text-sm font-bold">{t`Wording`}</span>
          <textarea
            rows={14}
            lang={language}
            className="rounded-control border border-edge bg-surface p-3.5 text-base"
            value={wording}
            onChange={({ target }) => onWording(target.value)}
          />
        </label>
        {isOwn && (
          <Button look="plain" className="mt-3 self-start" onClick={() => onWording(undefined)}>
            <Trans>Use the standard wording</Trans>
          </Button>
        )}
      </div>
    </Disclosure>
  );
}

/** The page itself, in large type, below its title. The questions that a paragraph begins with are bold. */
function Letter({ name, text }: { name: string; text: string }) {
  const { i18n } = useLingui();
  const paragraphs = text.split(/\n\s*\n/u);
  return (
    <div
      lang={i18n.locale}
      className="overflow-clip rounded-surface border border-line bg-surface [overflow-wrap:anywhere] print:rounded-none print:border-0 print:bg-white print:text-black"
    >
      <div className="flex items-center gap-4 bg-lamp-glow px-5 py-4 [print-color-adjust:exact] md:px-8 print:rounded-surface print:px-6">
        <Mark className="size-12 shrink-0" />
        <h2 className="text-xl font-bold">
          <Trans>
            For <bdi>{name}</bdi>
          </Trans>
        </h2>
      </div>
      <article
        aria-label={i18n._(msg`The page`)}
        className="flex flex-col gap-4 p-5 text-lg leading-relaxed md:p-8 print:px-6 print:py-5"
      >
        {paragraphs.map((paragraph, index) => {
          const questions = /^(?:[^.?!]+\? ?)+/u.exec(paragraph)?.[0] ?? "";
          return (
            // oxlint-disable-next-line react/no-array-index-key -- paragraphs are edited in place
            <p key={index} className="print:break-inside-avoid">
              <strong>{questions}</strong>
              {paragraph.slice(questions.length)}
            </p>
          );
        })}
      </article>
    </div>
  );
}

interface Names {
  grownUps: readonly string[];
  assistants: readonly string[];
}

function namesOf({ guardians, nameless_guardians: nameless, assistants }: ChildNotice): Names {
  const grownUps = guardians.map(plainText);
  return {
    grownUps: [...grownUps, ...Array.from({ length: nameless }, () => "")],
    assistants: assistants.map(plainText),
  };
}

/** What the child calls those of the assistants that are in this list. */
function namedIn(list: readonly string[], { assistants }: ChildNotice, names: Names): readonly string[] {
  return names.assistants.filter((_, index) => list.includes(assistants[index] ?? ""));
}

function filled(names: readonly string[]): readonly string[] {
  return names.map((name) => name.trim()).filter((name) => name !== "");
}

interface NameFieldsProps {
  label: string;
  names: readonly string[];
  onChange: (names: readonly string[]) => void;
}

function NameFields({ label, names, onChange }: NameFieldsProps) {
  return names.map((name, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the fields are never reordered
    <div key={index} className="pt-4">
      <TextField
        label={
          names.length > 1 ? t`${label} (${{ number: index + 1 }} of ${{ count: names.length }})` : label
        }
        value={name}
        maxLength={200}
        autoComplete="off"
        onChange={({ target }) =>
          onChange(names.map((other, place) => (place === index ? target.value : other)))
        }
      />
    </div>
  ));
}
