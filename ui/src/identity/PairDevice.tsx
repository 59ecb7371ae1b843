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
    <Section heading="Sign in another device" ref={section}>
      <p className="max-w-[60ch] text-muted">
        Scan the QR code with the other device, and type the three digits that it shows.
      </p>
      {begin.data === undefined ? (
        <Button look="plain" className="self-start" busy={begin.isPending} onClick={() => begin.mutate()}>
          Show a QR code
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
  begun: Schemas["NewPairing"];
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
      Cancel
    </Button>
  );
  if (state === "signed_in") {
    return (
      <Panel key="signed in" heading="That device is signed in.">
        <Button look="plain" className="self-start" onClick={onDone}>
          Done
        </Button>
      </Panel>
    );
  }
  if (state === "ended") {
    return (
      <Panel key="ended" heading="This code has ended">
        <p>
          {confirm.isError && !isAbout(confirm.error, "/digits") ? errorMessage(confirm.error, ENDED) : ENDED}
        </p>
        <div className="flex flex-wrap gap-3">
          <Button onClick={onAgain}>Begin again</Button>
          <Button look="plain" onClick={onDone}>
            Close
          </Button>
        </div>
      </Panel>
    );
  }
  if (device === undefined) {
    return (
      <ShownLink
        heading="Scan this with the other device"
        link={begun.shown}
        label="QR code that signs another device in"
        actions={cancel}
      >
        It works for two minutes, for one device.
      </ShownLink>
    );
  }
  return (
    <Panel key="scanned" heading={`${deviceName(device)} has scanned the code`}>
      <p className="text-muted">Connected {fromWhere(device)}. Is that the device in your hand?</p>
      {confirm.isSuccess ? (
        <p role="status">{BUSY}</p>
      ) : (
        <CodeForm
          label="Type the three digits that it shows"
          kind="shown"
          onCode={(digits) => {
            if (digits === "" || confirm.isPending) return;
            confirm.mutate({ data: { digits } });
          }}
        >
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={confirm.isPending} busyLabel={BUSY}>
              Sign it in
            </Button>
            {cancel}
          </div>
          <Failure error={confirm.error} />
        </CodeForm>
      )}
    </Panel>
  );
}

const ENDED = "Two minutes have passed, or a second device has scanned the code. Nobody was signed in.";

/** Whether the pairing is in a final state. */
function isOver(state: PairingState | undefined): boolean {
  return state === "signed_in" || state === "ended";
}
