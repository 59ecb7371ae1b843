import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useEffect, useRef } from "react";
import { useNavigate } from "react-router";

import { AppChildChoice } from "./AppChildChoice";
import { ChildChoice } from "./ChildChoice";
import { type Question, type Source, headingOf, whereSentence } from "./connect";
import { whoReads } from "./connections";
import { type ConnectedAssistant, useInvalidateHousehold } from "./queries";
import { SendLink } from "./SendLink";
import { type Upstream, whatGoesTo } from "./upstreams";
import { Failure } from "../api/Failure";
import { useConnectAssistant } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import type { Child } from "../children/children";
import { paths } from "../paths";
import { BUSY, Button } from "../ui/Button";
import { Form } from "../ui/Form";
import { usePageState } from "../ui/page-state";
import { RadioGroup } from "../ui/RadioGroup";
import { TextField } from "../ui/TextField";

interface ConnectQuestionsProps {
  child: Child;
  siblings: readonly Child[];
  household: components["schemas"]["Household"];
  slug: string;
  source: Source;
  questions: readonly Question[];
  question: Question;
  onConnected: (connected: ConnectedAssistant) => void;
}

/** What was answered so far. Going back keeps it. */
interface Draft {
  /** The children whose key it gets; null until something else than the page's child was chosen. */
  children: readonly number[] | null;
  isForSeveral: boolean;
  /** The model's server by its name; the first one if there is none of that name. */
  upstream: string;
  name: string;
}

const nothingAnswered: Draft = { children: null, isForSeveral: false, upstream: "", name: "" };

/** Asks one question a page. The last page makes the key. */
export function ConnectQuestions(props: ConnectQuestionsProps) {
  const { child, siblings, household, slug, source, questions, question, onConnected } = props;
  const { child_id: childId, name: childName } = child;
  const { state: draft, read, write } = usePageState(`connecting for ${childId}`, nothingAnswered);
  const navigate = useNavigate();
  const invalidateHousehold = useInvalidateHousehold();
  const connect = useConnectAssistant({
    mutation: {
      onSuccess: ({ data }) => {
        write(nothingAnswered);
        onConnected(data);
      },
      // The list of servers may be out of date.
      onError: invalidateHousehold,
      // Don't cache the key.
      gcTime: 0,
    },
  });
  const { upstreams } = household;
  const upstream =
    source.kind === "app"
      ? (upstreams.find(({ name }) => name === draft.upstream) ?? upstreams[0])
      : undefined;
  const marked = draft.children ?? [childId];
  const chosen = upstream === undefined || draft.isForSeveral ? marked : marked.slice(0, 1);
  const next = questions[questions.indexOf(question) + 1];
  const goOn = () => {
    if (next !== undefined) void navigate(paths.connect(childId, slug, next));
    else if (!connect.isPending) {
      const choice = upstream && { upstream: { name: upstream.name, host: upstream.host } };
      connect.mutate({ data: { name: draft.name.trim(), children: [...chosen], ...choice } });
    }
  };
  return (
    <div className="flex max-w-md flex-col gap-6">
      {source.kind === "toy" && question === questions[0] && (
        <p>
          <Trans>
            The toy's server, xiaozhi-server, must run in your home: a toy that talks to its maker's server
            can't be connected.
          </Trans>
        </p>
      )}
      <QuestionForm key={question} onSubmit={goOn}>
        <QuestionField
          question={question}
          siblings={siblings}
          household={household}
          draft={draft}
          chosen={chosen}
          upstream={upstream}
          onAnswer={(answered) => write({ ...read(), ...answered })}
        />
        <Button
          type="submit"
          className="self-start"
          disabled={chosen.length === 0}
          busy={connect.isPending}
          busyLabel={BUSY}
        >
          {next === undefined ? t`Connect` : t`Go on`}
        </Button>
        <Failure error={connect.error} />
      </QuestionForm>
      {question === questions[0] && (
        <div className="flex flex-col gap-1 border-t border-line pt-4">
          <p className="text-muted">{whereSentence(source)}</p>
          <SendLink
            server={household.server}
            path={paths.connect(childId, slug)}
            what={headingOf(slug, undefined, childName)}
          />
        </div>
      )}
    </div>
  );
}

interface QuestionFieldProps extends Pick<ConnectQuestionsProps, "question" | "siblings" | "household"> {
  draft: Draft;
  /** The children and the model's server as answered so far. */
  chosen: readonly number[];
  upstream: Upstream | undefined;
  onAnswer: (answered: Partial<Draft>) => void;
}

function QuestionField({
  question,
  siblings,
  household,
  draft,
  chosen,
  upstream,
  onAnswer,
}: QuestionFieldProps) {
  switch (question) {
    case "children":
      if (upstream === undefined) {
        return (
          <ChildChoice
            legend={t`Talks with`}
            siblings={siblings}
            chosen={chosen}
            onChange={(children) => onAnswer({ children })}
          />
        );
      }
      return (
        <AppChildChoice
          siblings={siblings}
          chosen={chosen}
          isForSeveral={draft.isForSeveral}
          onChange={(children, isForSeveral) => onAnswer({ children, isForSeveral })}
        />
      );
    case "model":
      return (
        <RadioGroup
          legend={t`Which AI answers?`}
          options={household.upstreams.map(({ name, host }) => ({
            value: name,
            label: name,
            hint: host,
          }))}
          chosen={upstream?.name}
          onChoose={(name) => onAnswer({ upstream: name })}
        />
      );
    case "name":
      return (
        <>
          <TextField
            label={t`Name, for example Kitchen`}
            name="name"
            value={draft.name}
            onChange={({ target }) => onAnswer({ name: target.value })}
            maxLength={200}
            required
            autoComplete="off"
          />
          <p role="status" className="text-sm [overflow-wrap:anywhere] empty:hidden">
            {whoReads(chosen, household.children)}
          </p>
          <p role="status" className="[overflow-wrap:anywhere] empty:hidden">
            {upstream !== undefined && whatGoesTo(upstream.host)}
          </p>
        </>
      );
  }
}

/** Its text field has the focus, so that a name can be typed at once. */
function QuestionForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  const form = useRef<HTMLFormElement>(null);
  // After the page's heading has got it.
  useEffect(() => form.current?.querySelector<HTMLInputElement>("input[name=name]")?.focus(), []);
  return (
    <Form ref={form} onSubmit={onSubmit} className="flex flex-col gap-4">
      {children}
    </Form>
  );
}
