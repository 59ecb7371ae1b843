import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { type PageEdition, pageText } from "./page-text";
import { Failure } from "../api/Failure";
import {
  getGetChildNoticeQueryKey,
  useChooseChildNoticeEdition,
  useGetChildNotice,
} from "../api/generated/client/children/children";
import { useGetRetention } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import { type ErrorTexts } from "../api/problem";
import { QueryView } from "../api/QueryView";
import { childPage } from "../children/child-page";
import type { Child } from "../children/children";
import { plainText } from "../format/plain-text";
import type { RetentionDays } from "../format/retention";
import { paths } from "../paths";
import { Button } from "../ui/Button";
import { PageHeading } from "../ui/PageHeading";
import { Skeleton } from "../ui/Skeleton";
import { TextField } from "../ui/TextField";
import { TextLink } from "../ui/TextLink";
import { RadioGroup } from "../ui/RadioGroup";
import { Disclosure } from "../ui/Disclosure";

type ChildNotice = components["schemas"]["ChildNotice"];

const HEADING = "The page for your child";

/** Tells a child what is kept, to show or to print. The guardian's controls are above it, and aren't printed. */
export const ChildNoticePage = childPage(HEADING, Page, "There is no such child here.");

function Page({ child }: { child: Child }) {
  const query = useGetChildNotice(child.child_id, { query: { select: ({ data }) => data } });
  const retention = useGetRetention(child.child_id, { query: { select: ({ data }) => data } });
  return (
    <main
      id="main"
      className="mx-auto flex max-w-[44rem] flex-col gap-6 px-4 pt-[calc(env(safe-area-inset-top)+1.25rem)] pb-10 md:px-6 print:p-0"
    >
      <div className="flex flex-col gap-2 print:hidden">
        <TextLink to={paths.section(child.child_id, "settings/profile")} className="self-start">
          Back to App Settings
        </TextLink>
        <PageHeading title={`A page for ${child.name}`}>{`A page for ${child.name}`}</PageHeading>
        <p>
          Read it together, or print it. It says what is kept and who can read it. It does not say what you
          block or look for.
        </p>
      </div>
      <QueryView query={query} loading={loading} errorText={errorText}>
        {(page) => (
          <QueryView query={retention} loading={loading} errorText={errorText}>
            {({ days }) => <Edited child={child} page={page} days={days} />}
          </QueryView>
        )}
      </QueryView>
    </main>
  );
}

const loading = {
  sentence: "Loading the page...",
  skeleton: <Skeleton shapes={["h-8", "h-5 max-w-md", "h-5 max-w-md"]} />,
};

const editions: readonly { value: PageEdition; label: string }[] = [
  { value: "younger", label: "6 to 9" },
  { value: "older", label: "10 and older" },
];

interface EditedProps {
  child: Child;
  page: ChildNotice;
  /** For how long conversations are kept. */
  days: RetentionDays;
}

function Edited({ child, page, days }: EditedProps) {
  const queries = useQueryClient();
  // A state of its own, because a mutation's `variables` change only after the radio button was rendered unchanged.
  const [chosen, setChosen] = useState<PageEdition | null>(null);
  const choose = useChooseChildNoticeEdition({
    mutation: {
      onSuccess: () => queries.invalidateQueries({ queryKey: getGetChildNoticeQueryKey(child.child_id) }),
      onSettled: () => setChosen(null),
    },
  });
  const [names, setNames] = useState<Names>(() => namesOf(page));
  const [wording, setWording] = useState<string | null>(null);
  const edition = chosen ?? page.edition;
  const standard =
    edition === undefined
      ? null
      : pageText(edition, {
          child: plainText(page.child_name),
          grownUps: filled(names.grownUps),
          assistants: filled(names.assistants),
          helpline: page.helpline,
          days,
          reviewed: page.reviewed,
          age: page.age,
          toldAge: filled(names.assistants.filter((_, index) => isToldAge(page, index))),
        }).join("\n\n");
  const text = wording ?? standard;
  return (
    <>
      <div className="flex flex-col gap-5 print:hidden">
        <RadioGroup
          legend="For what age?"
          options={editions}
          chosen={edition}
          onChoose={(each) => {
            setWording(null);
            setChosen(each);
            choose.mutate({ childId: child.child_id, data: { edition: each } });
          }}
        />
        <Failure error={choose.error} text="That could not be saved." />
        {text !== null && (
          <Disclosure summary="Change names and wording" summaryClassName="font-bold text-primary">
            <p className="text-sm text-muted">For this page alone. Nothing of it is saved.</p>
            <NameFields
              label="What your child calls the grown-up"
              names={names.grownUps}
              onChange={(grownUps) => setNames({ ...names, grownUps })}
            />
            <NameFields
              label="What your child calls the assistant"
              names={names.assistants}
              onChange={(assistants) => setNames({ ...names, assistants })}
            />
            <label className="flex flex-col gap-1.5 pt-4">
              <span className="text-sm font-bold">Wording</span>
              <textarea
                rows={14}
                className="rounded-control border border-edge bg-surface p-3.5 text-base"
                value={text}
                onChange={({ target }) => setWording(target.value)}
              />
            </label>
            {wording !== null && (
              <Button look="plain" className="self-start" onClick={() => setWording(null)}>
                Use the standard wording
              </Button>
            )}
          </Disclosure>
        )}
        {text !== null && (
          <Button className="self-start" onClick={() => print()}>
            Print
          </Button>
        )}
      </div>
      {text !== null && <Letter text={text} />}
    </>
  );
}

/** The page itself, in large type. The questions that a paragraph begins with are bold. */
function Letter({ text }: { text: string }) {
  const paragraphs = text.split(/\n\s*\n/u);
  return (
    <article
      aria-label="The page"
      className="flex flex-col gap-4 rounded-surface border border-line bg-surface p-5 text-lg leading-relaxed [overflow-wrap:anywhere] md:p-8 print:border-0 print:bg-white print:p-0 print:text-black"
    >
      {paragraphs.map((paragraph, index) => {
        const questions = /^(?:[^.?!]+\? ?)+/u.exec(paragraph)?.[0] ?? "";
        return (
          // oxlint-disable-next-line react/no-array-index-key -- paragraphs are edited in place
          <p key={index}>
            <strong>{questions}</strong>
            {paragraph.slice(questions.length)}
          </p>
        );
      })}
    </article>
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

/** Whether the assistant at this place is told the child's age. */
function isToldAge({ assistants, told_age: told }: ChildNotice, index: number): boolean {
  const name = assistants[index];
  return name !== undefined && told.includes(name);
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
        label={names.length > 1 ? `${label} (${index + 1} of ${names.length})` : label}
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

const errorText = {
  prefix: "Error loading the page: ",
} satisfies ErrorTexts;
