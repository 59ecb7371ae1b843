import { t } from "@lingui/core/macro";
import { useState } from "react";
import { Navigate, useLocation, useNavigate, useParams, useSearchParams } from "react-router";

import { STEPS, canBe, headingOf, questionsAbout, slugs, sourceIn, speakerPlugins } from "./connect";
import { ConnectQuestions } from "./ConnectQuestions";
import { ConnectSteps } from "./ConnectSteps";
import { HouseholdView, managedElsewhere } from "./HouseholdView";
import { ModelFirst } from "./ModelFirst";
import { NothingToConnect } from "./NothingToConnect";
import { type ConnectedAssistant, useInvalidateHousehold } from "./queries";
import { SoftwareChoice, SourceChoice } from "./SourceChoice";
import { useGetHousehold } from "../api/generated/client/household/household";
import type { components } from "../api/generated/schema";
import { type Child, useChildren } from "../children/children";
import { paths } from "../paths";
import { BackLink } from "../ui/BackLink";
import { PageHeading } from "../ui/PageHeading";
import { SendToAdministrator } from "../ui/SendToAdministrator";

type Household = components["schemas"]["Household"];

/** Connects an assistant: what the child talks to, a few questions, then the key with three steps. */
export function ConnectPage({ child }: { child: Child }) {
  const { source: slug, question } = useParams();
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col">
        <Back child={child} slug={slug} question={question} />
        <PageHeading className="[overflow-wrap:anywhere]">
          {headingOf(slug, question, child.name)}
        </PageHeading>
      </div>
      <HouseholdView
        ifManagedElsewhere={
          <SendToAdministrator
            sentence={managedElsewhere()}
            how={t`The command is porchlight assistant add. docs/plugins and docs/apps.md have the steps.`}
          />
        }
      >
        {(household) => <Part child={child} household={household} slug={slug} question={question} />}
      </HouseholdView>
    </div>
  );
}

interface PartProps {
  child: Child;
  slug: string | undefined;
  question: string | undefined;
}

/** The link to the question before, which keeps what was answered. */
function Back({ child: { child_id: childId }, slug, question }: PartProps) {
  const { search } = useLocation();
  const household = useGetHousehold().data?.data;
  const siblings = useSiblings();
  if (slug === undefined || question === STEPS) {
    return <BackLink to={paths.section(childId, "settings/assistants")}>{t`Assistants`}</BackLink>;
  }
  const source = household && sourceIn(slug, household.plugins);
  const asked = source ? questionsAbout(source, siblings, household) : [];
  const before = asked[asked.findIndex((each) => each === question) - 1];
  const parts = before === undefined ? (source?.kind === "software" ? [slugs.speaker] : []) : [slug, before];
  return <BackLink to={paths.connect(childId, ...parts) + search}>{t`Back`}</BackLink>;
}

function Part({ child, household, slug, question }: PartProps & { household: Household }) {
  const { child_id: childId } = child;
  const siblings = useSiblings();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const invalidateHousehold = useInvalidateHousehold();
  const [connected, setConnected] = useState<ConnectedAssistant | null>(null);
  const [isSaved, setIsSaved] = useState(false);
  const id = search.get("assistant");
  const assistant =
    household.assistants.find(({ assistant_id: each }) => each === id) ??
    // The household doesn't have a new one before it is loaded again.
    (connected?.assistant.assistant_id === id ? connected?.assistant : undefined);
  const source = sourceIn(slug, household.plugins);
  const show = (made: ConnectedAssistant) => {
    setConnected(made);
    setIsSaved(false);
    void invalidateHousehold();
    const path = paths.connect(childId, slug ?? "", STEPS);
    void navigate(`${path}?assistant=${made.assistant.assistant_id}`, { replace: true });
  };

  if (slug === undefined) return <SourceChoice child={child} assistant={assistant} />;
  if (source === null) return <Navigate to={paths.connect(childId)} replace />;
  if (source.kind === "nothing") return <NothingToConnect child={child} />;
  if (source.kind === "speaker") {
    return (
      <SoftwareChoice childId={childId} plugins={speakerPlugins(household.plugins)} assistant={assistant} />
    );
  }
  if (question === STEPS) {
    if (assistant === undefined || !canBe(assistant, source.kind))
      return <Navigate to={paths.connect(childId, slug)} replace />;
    const isKeyKnown = connected?.assistant.assistant_id === assistant.assistant_id && !isSaved;
    return (
      <ConnectSteps
        child={child}
        siblings={siblings}
        household={household}
        slug={slug}
        source={source}
        assistant={assistant}
        assistantKey={isKeyKnown ? connected.key : null}
        isKeySaved={isSaved}
        onKey={show}
        onSaved={() => setIsSaved(true)}
      />
    );
  }
  if (source.kind === "app" && household.upstreams.length === 0) return <ModelFirst child={child} />;
  const questions = questionsAbout(source, siblings, household);
  return (
    <ConnectQuestions
      child={child}
      siblings={siblings}
      household={household}
      slug={slug}
      source={source}
      questions={questions}
      question={questions.find((each) => each === question) ?? questions[0]}
      onConnected={show}
    />
  );
}

function useSiblings(): readonly Child[] {
  const { list } = useChildren();
  return list.kind === "loaded" ? list.children : [];
}
