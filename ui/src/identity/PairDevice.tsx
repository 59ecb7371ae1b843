import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";

import { CodeForm } from "./CodeForm";
import { POLL_MS, deviceName, fromWhere } from "./devices";
import { Panel } from "./Panel";
import { ShownLink } from "./ShownLink";
import { Failure } from "../api/Failure";
import {
  getGetPairingQueryKey,
  getListSignInsQueryKey,
  getPairing,
  useBeginPairing,
  useConfirmPairing,
  useEndPairing,
  useGetPairing,
} from "../api/generated/client/identity/identity";
import type { components } from "../api/generated/schema";
import { isAbout, errorMessage } from "../api/problem";
import { BUSY, Button } from "../ui/Button";
import { useFocusAfterForm } from "../ui/focus";
import { inPagesLanguage } from "../ui/language";
import { Section } from "../ui/Section";

/** Signs another device in: it scans this page's QR code, and the guardian types its three digits here. */
export function PairDevice() {
  const begin = useBeginPairing({
    mutation: {
      // Don't cache the link.
      gcTime: 0,
    },
  });
  const end = useEndPairing({ mutation: { onSettled: begin.reset } });
  const section = useFocusAfterForm<HTMLElement>(begin.data === undefined ? null : "pairing");
  return (
    <Section heading={t`Sign in another device`} ref={section}>
      {begin.data === undefined ? (
        <Button look="plain" className="self-start" busy={begin.isPending} onClick={() => begin.mutate()}>
          <Trans>Show a QR code</Trans>
        </Button>
      ) : (
        <Pairing
          begun={begin.data.data}
          onCancel={() => end.mutate()}
          onAgain={() => begin.mutate()}
          onDone={begin.reset}
        />
      )}
      <Failure error={begin.error} />
    </Section>
  );
}

type Schemas = components["schemas"];
type PairingState = Schemas["Pairing"]["state"];

interface PairingProps {
  begun: Schemas["CreatedPairing"];
  onCancel: () => void;
  onAgain: () => void;
  onDone: () => void;
}

/** The progress of a pairing. */
function Pairing({ begun, onCancel, onAgain, onDone }: PairingProps) {
  const queries = useQueryClient();
  const pairing = useGetPairing({
    query: {
      queryKey: [...getGetPairingQueryKey(), begun.until],
      queryFn: async ({ signal }) => {
        const answer = await getPairing({ signal });
        if (answer.data.state === "signed_in") {
          await queries.invalidateQueries({ queryKey: getListSignInsQueryKey() });
        }
        return answer;
      },
      refetchInterval: ({ state }) => !isOver(state.data?.data.state) && POLL_MS,
      staleTime: 0,
      gcTime: 0,
    },
  });
  const confirm = useConfirmPairing({ mutation: { onSettled: async () => pairing.refetch() } });
  const { state = "waiting", device } = pairing.data?.data ?? {};
  const cancel = (
    <Button look="plain" onClick={onCancel}>
      <Trans>Cancel</Trans>
    </Button>
  );
  if (state === "signed_in") {
    return (
      <Panel key="signed in" heading={t`That device is signed in.`}>
        <Button look="plain" className="self-start" onClick={onDone}>
          <Trans>Done</Trans>
        </Button>
      </Panel>
    );
  }
  if (state === "ended") {
    return (
      <Panel key="ended" heading={t`This code has ended`}>
        <p>
          {confirm.isError && !isAbout(confirm.error, "/digits")
            ? errorMessage(confirm.error, ENDED)
            : inPagesLanguage(ENDED)}
        </p>
        <div className="flex flex-wrap gap-3">
          <Button onClick={onAgain}>
            <Trans>Begin again</Trans>
          </Button>
          <Button look="plain" onClick={onDone}>
            <Trans>Close</Trans>
          </Button>
        </div>
      </Panel>
    );
  }
  if (device === undefined) {
    return (
      <ShownLink heading={t`Scan this with the other device`} link={begun.shown} actions={cancel}>
        <Trans>It works for two minutes, for one device.</Trans>
      </ShownLink>
    );
  }
  return (
    <Panel key="scanned" heading={t`${{ deviceName: deviceName(device) }} has scanned the code`}>
      <p className="text-muted">
        <Trans>Connected {{ fromWhere: fromWhere(device) }}. Is that the device in your hand?</Trans>
      </p>
      {confirm.isSuccess ? (
        <p role="status">{inPagesLanguage(BUSY)}</p>
      ) : (
        <CodeForm
          label={t`Type the three digits that it shows`}
          kind="shown"
          onCode={(digits) => {
            if (digits === "" || confirm.isPending) return;
            confirm.mutate({ data: { digits } });
          }}
        >
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={confirm.isPending} busyLabel={BUSY}>
              <Trans>Sign it in</Trans>
            </Button>
            {cancel}
          </div>
          <Failure error={confirm.error} />
        </CodeForm>
      )}
    </Panel>
  );
}

const ENDED = msg`Two minutes have passed, or a second device has scanned the code. Nobody was signed in.`;

/** Whether the pairing is in a final state. */
function isOver(state: PairingState | undefined): boolean {
  return state === "signed_in" || state === "ended";
}
