import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import {
  ArrowRightLeftIcon,
  EllipsisVerticalIcon,
  PinIcon,
  PinOffIcon,
  Trash2Icon,
  UserRoundXIcon,
} from "lucide-react";
import { type ReactNode, useState } from "react";

import { useDelete, useMove } from "./queries";
import { failureSentence } from "../api/problem";
import { type Child, useChildren } from "../children/children";
import { isolated } from "../format/isolated";
import { BUSY } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";
import { Menu, menuItemClass } from "../ui/Menu";

interface SessionMenuProps {
  child: Child;
  sessionId: number;
  /** Whether a guardian said that somebody else talked, not the child. */
  notChild: boolean;
  onNotChild: () => void;
  /** Whether this guardian keeps the session; null if that isn't known. */
  kept: boolean | null;
  onKeep: (kept: boolean) => void;
  onDeleted: () => void;
  onMoved: (to: Child) => void;
  /** Rendered above the items. */
  above?: ReactNode;
  /** Further items, rendered first. */
  children?: ReactNode;
}

type Question = { kind: "delete" } | { kind: "move"; to: Child };

export function SessionMenu({
  child,
  sessionId,
  notChild,
  onNotChild,
  kept,
  onKeep,
  onDeleted,
  onMoved,
  above,
  children,
}: SessionMenuProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const { list } = useChildren();
  const all = list.kind === "loaded" ? list.children : [];
  const { child_id: childId, name } = child;
  const others = all.filter(({ child_id: id }) => id !== childId);
  const close = () => setQuestion(null);
  return (
    <div className="shrink-0 print:hidden">
      <Menu
        label={t`More actions`}
        above={above}
        placement="below"
        triggerClassName="-my-1.5 flex size-11 items-center justify-center rounded-control text-muted hover:bg-quiet hover:text-ink"
        trigger={<EllipsisVerticalIcon className="size-5" />}
      >
        {children}
        {!notChild && (
          <button type="button" role="menuitem" className={menuItemClass} onClick={onNotChild}>
            <UserRoundXIcon className="size-5 shrink-0" />
            <span className="min-w-0">
              <Trans>
                This wasn&apos;t <bdi>{name}</bdi>
              </Trans>
            </span>
          </button>
        )}
        {kept !== null && (
          <button type="button" role="menuitem" className={menuItemClass} onClick={() => onKeep(!kept)}>
            {kept ? <PinOffIcon className="size-5 shrink-0" /> : <PinIcon className="size-5 shrink-0" />}
            {kept ? t`Don't keep any longer` : t`Keep`}
          </button>
        )}
        {others.map((to) => (
          <button
            key={to.child_id}
            type="button"
            role="menuitem"
            className={menuItemClass}
            onClick={() => setQuestion({ kind: "move", to })}
          >
            <ArrowRightLeftIcon className="size-5 shrink-0" />
            <span className="min-w-0">{moveTo(to)}</span>
          </button>
        ))}
        <button
          type="button"
          role="menuitem"
          className={`${menuItemClass} text-danger`}
          onClick={() => setQuestion({ kind: "delete" })}
        >
          <Trash2Icon className="size-5 shrink-0" />
          <Trans>Delete</Trans>
        </button>
      </Menu>
      {question?.kind === "delete" && (
        <DeleteDialog child={child} sessionId={sessionId} onDeleted={onDeleted} onClose={close} />
      )}
      {question?.kind === "move" && (
        <MoveDialog child={child} to={question.to} sessionId={sessionId} onMoved={onMoved} onClose={close} />
      )}
    </div>
  );
}

function moveTo({ name }: Child): string {
  return t`Move to ${{ name: isolated(name) }}`;
}

interface DeleteDialogProps {
  child: Child;
  sessionId: number;
  onDeleted: () => void;
  onClose: () => void;
}

function DeleteDialog({ child: { name }, sessionId, onDeleted, onClose }: DeleteDialogProps) {
  const deletion = useDelete(onDeleted);
  return (
    <Confirmation
      title={t`Delete`}
      action={t`Delete`}
      busyLabel={BUSY}
      busy={deletion.isPending}
      failure={failureSentence(deletion.error)}
      onConfirm={() => deletion.mutate(sessionId)}
      onClose={onClose}
    >
      <Trans>
        Every guardian of <bdi>{name}</bdi> can restore it under 'Recently deleted', for at least seven days.
      </Trans>
    </Confirmation>
  );
}

interface MoveDialogProps {
  child: Child;
  to: Child;
  sessionId: number;
  onMoved: (to: Child) => void;
  onClose: () => void;
}

function MoveDialog({ child, to, sessionId, onMoved, onClose }: MoveDialogProps) {
  const move = useMove(() => onMoved(to));
  const [newName, oldName] = [to.name, child.name];
  return (
    <Confirmation
      title={moveTo(to)}
      action={moveTo(to)}
      busyLabel={BUSY}
      busy={move.isPending}
      failure={failureSentence(move.error)}
      onConfirm={() => move.mutate({ sessionId, childId: to.child_id })}
      onClose={onClose}
    >
      <Trans>
        It is then seen and counted with <bdi>{newName}</bdi> and no longer with <bdi>{oldName}</bdi>. You can
        move it back at any time.
      </Trans>
    </Confirmation>
  );
}
