import { Button } from "@musette/react/ui";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Tagged } from "../api/client";
import { usePersonNames } from "../api/person-names";
import type { FlagsDocument } from "../configuration/document/document";
import { environmentKey } from "../configuration/document/flags-document";
import { FlagsFrame } from "../configuration/frame";
import { ChangeObjects } from "../configuration/review/change-objects";
import {
  cancelChange,
  changesQuery,
  type PlannedChange,
} from "../configuration/review/changes-query";
import { PlanDialog } from "../configuration/save/plan-dialog";
import { timeZone } from "../language/dates";
import { useMoment } from "../language/use-moment";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import { ForRoles } from "../ui/for-roles";
import pageStyles from "../ui/page.module.css";
import quietStyles from "../ui/quiet-button.module.css";
import { useLastDefined } from "../ui/use-last";
import historyStyles from "./history.module.css";
import { PagedList } from "./paged-list";
import { useEnvironmentsTexts } from "./texts/texts";

export function PlannedPage() {
  const texts = useEnvironmentsTexts();
  return (
    <FlagsFrame title={texts.plannedTitle} intro={texts.plannedIntro(timeZone())}>
      {(env, base) => <Planned key={env} env={env} base={base} />}
    </FlagsFrame>
  );
}

interface PlannedProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
}

function Planned({ env, base }: PlannedProps) {
  const texts = useEnvironmentsTexts();
  const pages = useInfiniteQuery(changesQuery(env));
  const [isNew, setNew] = useState(false);
  const [leaving, setLeaving] = useState<PlannedChange>();
  return (
    <>
      <div className={pageStyles.bar}>
        <ForRoles task="flags" scope={env}>
          <Button onClick={() => setNew(true)}>{texts.newPlan}</Button>
        </ForRoles>
      </div>
      <PagedList pages={pages} none={texts.noPlans} noneHint={texts.noPlansHint}>
        {(items) => (
          <ul className={historyStyles.history}>
            {items.map((change) => (
              <li key={change.id} className="card">
                <PlannedItem env={env} change={change} onCancel={() => setLeaving(change)} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      <PlanDialog env={env} base={base} open={isNew} onClose={() => setNew(false)} />
      <CancelPlan env={env} change={leaving} onClose={() => setLeaving(undefined)} />
    </>
  );
}

const TONES = {
  proposed: "warning",
  waiting: "warning",
  done: "good",
  cancelled: undefined,
  refused: "bad",
} as const;

function PlannedItem(props: {
  readonly env: string;
  readonly change: PlannedChange;
  readonly onCancel: () => void;
}) {
  const { env, change, onCancel } = props;
  const texts = useEnvironmentsTexts();
  const nameOf = usePersonNames(change.author ? [change.author] : []);
  const moment = useMoment();
  const [isOpen, setOpen] = useState(false);
  const by = change.at ? texts.plannedBy : texts.proposedBy;
  return (
    <>
      <div className={historyStyles.historyHead}>
        <h2>{change.at ? <time dateTime={change.at}>{moment(change.at)}</time> : texts.noTime}</h2>
        <span className="chip" data-tone={TONES[change.status]}>
          {texts.statuses[change.status]}
        </span>
        {(change.status === "waiting" || change.status === "proposed") && (
          <ForRoles task="flags" scope={env} isQuiet>
            <button
              type="button"
              className={`${quietStyles.quiet} ${quietStyles.danger}`}
              onClick={onCancel}
            >
              {change.at ? texts.cancelPlan : texts.discard}
            </button>
          </ForRoles>
        )}
      </div>
      {change.comment && <p>{change.comment}</p>}
      <p className="note">
        {change.author && by(nameOf(change.author), moment(change.created_at))}
      </p>
      {change.refusal && (
        <p className="failure">
          {change.reason === "approval_required" ? (
            texts.notApproved
          ) : (
            <>
              {texts.refusedBecause}
              <small>
                <bdi>{change.refusal}</bdi>
              </small>
            </>
          )}
        </p>
      )}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{texts.whatChanges}</summary>
        {isOpen && <ChangeObjects env={env} id={change.id} />}
      </details>
    </>
  );
}

function CancelPlan(props: {
  readonly env: string;
  readonly change: PlannedChange | undefined;
  readonly onClose: () => void;
}) {
  const { env, change, onClose } = props;
  const texts = useEnvironmentsTexts();
  const moment = useMoment();
  const client = useQueryClient();
  const cancelling = useMutation({
    mutationFn: (id: string) => cancelChange(env, id),
    onSettled: () => client.invalidateQueries({ queryKey: environmentKey(env) }),
  });
  // The text remains while the dialog closes.
  const at = useLastDefined(change)?.at;
  return (
    <Confirm
      open={change !== undefined}
      onClose={onClose}
      title={at ? texts.cancelTitle : texts.discardTitle}
      action={at ? texts.cancelPlan : texts.discard}
      isDangerous
      onConfirm={async () => {
        if (!change) return;
        await cancelling.mutateAsync(change.id);
        toasts.say(at ? texts.cancelled : texts.discarded);
      }}
    >
      <p>{at ? texts.cancelText(moment(at)) : texts.discardText}</p>
    </Confirm>
  );
}
