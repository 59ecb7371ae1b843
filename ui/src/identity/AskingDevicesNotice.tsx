import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";

import { CodeForm } from "./CodeForm";
import { deviceName, fromWhere } from "./devices";
import { Failure } from "../api/Failure";
import {
  getListAskingDevicesQueryKey,
  useAnswerAskingDevice,
  useListAskingDevices,
  useRefuseAskingDevice,
} from "../api/generated/client/identity/identity";
import type { components } from "../api/generated/schema";
import { paths } from "../paths";
import { Button } from "../ui/Button";
import { focusHeading } from "../ui/focus";
import { TextLink } from "../ui/TextLink";
import { Notice } from "../ui/Notice";

/** A device's request expires after this time, without an event. */
const LIFE_MS = 120_000;

/** The polling interval on a page without an event stream. */
const UNTOLD_MS = 15_000;

interface AskingDevicesNoticeProps {
  /** Whether to poll, because no event stream is open. */
  polls: boolean;
}

/** Asks the guardian to confirm another device's step-up by typing the three digits that it shows. */
export function AskingDevicesNotice({ polls }: AskingDevicesNoticeProps) {
  const queries = useQueryClient();
  const { data } = useListAskingDevices({
    query: {
      staleTime: 0,
      refetchInterval: ({ state }) => {
        if (polls) return UNTOLD_MS;
        return (state.data?.data.items ?? []).length > 0 && LIFE_MS;
      },
    },
  });
  const onSettled = async () => queries.invalidateQueries({ queryKey: getListAskingDevicesQueryKey() });
  const answer = useAnswerAskingDevice({ mutation: { onSuccess: focusHeading, onSettled } });
  const refuse = useRefuseAskingDevice({ mutation: { onSuccess: focusHeading, onSettled } });
  const asking = data?.data.items ?? [];
  const isOver = answer.isSuccess || answer.isError || refuse.isSuccess;
  if (asking.length === 0 && !isOver) return null;
  const dismiss = () => {
    answer.reset();
    refuse.reset();
  };
  return (
    <Notice aria-label={t`Is this you?`} className="mb-5 flex flex-col gap-3 py-3 print:hidden">
      {asking.map((device) => (
        <AskingItem
          key={`${device.sign_in_id} ${device.device.requested_at}`}
          asking={device}
          busy={answer.isPending || refuse.isPending}
          onDigits={(digits) => {
            dismiss();
            answer.mutate({ signInId: device.sign_in_id, data: { digits } });
          }}
          onRefuse={() => {
            dismiss();
            refuse.mutate({ signInId: device.sign_in_id });
          }}
        />
      ))}
      <Failure error={answer.error} />
      <Failure error={refuse.error} />
      {answer.isSuccess && (
        <p role="status">
          <Trans>Confirmed on your other device.</Trans>
        </p>
      )}
      {refuse.isSuccess && (
        <p role="status">
          <Trans>
            It was refused. Somebody is signed in as you: sign that device out under{" "}
            <TextLink isInline to={paths.you()} onClick={dismiss}>
              Signed-in devices
            </TextLink>
            .
          </Trans>
        </p>
      )}
      {asking.length === 0 && (
        <Button look="plain" className="self-start" onClick={dismiss}>
          <Trans>Close</Trans>
        </Button>
      )}
    </Notice>
  );
}

interface AskingItemProps {
  asking: components["schemas"]["AskingDevice"];
  busy: boolean;
  onDigits: (digits: string) => void;
  onRefuse: () => void;
}

function AskingItem({ asking: { device }, busy, onDigits, onRefuse }: AskingItemProps) {
  return (
    <div className="flex flex-col gap-3 [overflow-wrap:anywhere]">
      <div role="status">
        <p className="font-bold">
          <Trans>{{ deviceName: deviceName(device) }} asks whether this is you.</Trans>
        </p>
        <p className="text-sm">
          <Trans>Connected {{ fromWhere: fromWhere(device) }}.</Trans>
        </p>
      </div>
      <CodeForm
        label={t`Type the three digits that it shows`}
        kind="shown"
        takesFocus={false}
        onCode={(digits) => {
          if (digits !== "" && !busy) onDigits(digits);
        }}
      >
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={busy}>
            <Trans>It is me</Trans>
          </Button>
          <Button look="plain" busy={busy} onClick={onRefuse}>
            <Trans>It is not me</Trans>
          </Button>
        </div>
      </CodeForm>
    </div>
  );
}
