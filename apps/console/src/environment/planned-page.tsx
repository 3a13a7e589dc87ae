import { Button } from "@musette/react/ui";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeAdmin, type Tagged } from "../api/admin";
import { Confirm } from "../confirm/confirm";
import { Differences } from "../diff/change-list";
import { useDiffTexts } from "../diff/texts/texts";
import { timeZone } from "../language/dates";
import { Skeleton } from "../shell/skeleton";
import { LoadFailed } from "../shell/states";
import { toasts } from "../toast/toasts";
import { changeQuery, changesQuery, type PlannedChange } from "./changes-query";
import type { FlagsDocument } from "./document";
import { environmentKey } from "./flags-document";
import { FlagsFrame } from "./frame";
import { PlanDialog } from "./plan-dialog";
import { useEnvironmentTexts } from "./texts/texts";
import { useMoment } from "./use-moment";
import "./history.css";

export function PlannedPage() {
  const words = useEnvironmentTexts();
  return (
    <FlagsFrame title={words.plannedTitle} intro={words.plannedIntro(timeZone())}>
      {(env, base) => <Planned key={env} env={env} base={base} />}
    </FlagsFrame>
  );
}

interface PlannedProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
}

function Planned({ env, base }: PlannedProps) {
  const words = useEnvironmentTexts();
  const pages = useInfiniteQuery(changesQuery(env));
  const [isNew, setNew] = useState(false);
  const [leaving, setLeaving] = useState<PlannedChange>();
  const items = pages.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <div className="page-bar">
        <Button onClick={() => setNew(true)}>{words.newPlan}</Button>
      </div>
      {pages.isPending && <Skeleton rows={5} />}
      {pages.isError && <LoadFailed error={pages.error} onRetry={pages.refetch} />}
      {pages.isSuccess && items.length === 0 && (
        <div className="card calm">
          <p>{words.noPlans}</p>
          <p className="note">{words.noPlansHint}</p>
        </div>
      )}
      <ul className="history">
        {items.map((change) => (
          <li key={change.id} className="card">
            <OnePlan env={env} change={change} onCancel={() => setLeaving(change)} />
          </li>
        ))}
      </ul>
      {pages.hasNextPage && (
        <Button
          kind="secondary"
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {words.older}
        </Button>
      )}
      <PlanDialog env={env} base={base} open={isNew} onClose={() => setNew(false)} />
      <CancelPlan env={env} change={leaving} onClose={() => setLeaving(undefined)} />
    </>
  );
}

const TONES = {
  waiting: "warning",
  done: "good",
  cancelled: undefined,
  refused: "bad",
} as const;

function OnePlan(props: {
  readonly env: string;
  readonly change: PlannedChange;
  readonly onCancel: () => void;
}) {
  const { env, change, onCancel } = props;
  const words = useEnvironmentTexts();
  const moment = useMoment();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className="history-head">
        <h2>
          <time dateTime={change.at}>{moment(change.at)}</time>
        </h2>
        <span className="chip" data-tone={TONES[change.status]}>
          {words.statuses[change.status]}
        </span>
        {change.status === "waiting" && (
          <button type="button" className="quiet danger" onClick={onCancel}>
            {words.cancelPlan}
          </button>
        )}
      </div>
      {change.comment && <p>{change.comment}</p>}
      <p className="note">
        {change.author ? words.plannedBy(change.author, moment(change.created_at)) : null}
      </p>
      {change.refusal && (
        <p className="failure">
          {words.refusedBecause}
          <small>
            <bdi>{change.refusal}</bdi>
          </small>
        </p>
      )}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{words.whatChanges}</summary>
        {isOpen && <PlanObjects env={env} id={change.id} />}
      </details>
    </>
  );
}

/** Told from what the server says of it: the document itself is not sent along. */
function PlanObjects({ env, id }: { readonly env: string; readonly id: string }) {
  const told = useDiffTexts();
  const found = useQuery(changeQuery(env, id));
  if (found.isPending) return <Skeleton rows={2} />;
  if (found.isError) return <LoadFailed error={found.error} onRetry={found.refetch} />;
  const json = (it: unknown) => (typeof it === "string" ? it : JSON.stringify(it));
  const label = (pointer: string) => {
    const [, , , ...rest] = pointer.split("/");
    const [name = ""] = rest;
    return rest.length === 1 ? (told.fields[name as "on"] ?? name) : rest.join(" / ");
  };
  return (
    <ul className="change-list">
      {found.data.objects?.map(({ section, key, how, changes }) => (
        <li key={`${section}/${key}`}>
          <h3>
            <span>
              {told.sections[section]} <bdi className="mono">{key}</bdi>
            </span>
            <span className="chip">{told.how[how]}</span>
          </h3>
          <Differences
            differences={changes.map(({ pointer, before, after }) => ({
              place: label(pointer),
              ...(before !== undefined && { before: json(before) }),
              ...(after !== undefined && { after: json(after) }),
            }))}
          />
        </li>
      ))}
    </ul>
  );
}

function CancelPlan(props: {
  readonly env: string;
  readonly change: PlannedChange | undefined;
  readonly onClose: () => void;
}) {
  const { env, change, onClose } = props;
  const words = useEnvironmentTexts();
  const moment = useMoment();
  const client = useQueryClient();
  const cancelling = useMutation({
    mutationFn: (id: string) =>
      changeAdmin(`/environments/${encodeURIComponent(env)}/changes/${id}`, { method: "DELETE" }),
    onSettled: () => client.invalidateQueries({ queryKey: environmentKey(env) }),
  });
  return (
    <Confirm
      open={change !== undefined}
      onClose={onClose}
      title={words.cancelTitle}
      action={words.cancelPlan}
      isDangerous
      onConfirm={async () => {
        if (!change) return;
        await cancelling.mutateAsync(change.id);
        toasts.say(words.cancelled);
      }}
    >
      <p>{change && words.cancelText(moment(change.at))}</p>
    </Confirm>
  );
}
