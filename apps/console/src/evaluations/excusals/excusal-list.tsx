import { HttpError } from "@musette/client/http";
import { Button } from "@musette/react/ui";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useInstant } from "../../language/dates";
import { useLanguage } from "../../language/language-context";
import { useMoment } from "../../language/use-moment";
import { toasts } from "../../toast/toasts";
import { FailureText, LoadFailed } from "../../ui/states";
import styles from "../evaluations.module.css";
import { textFor } from "../model";
import { problemCode } from "../problem-text";
import {
  cancelExcusal,
  type Excusal,
  excusalQuery,
  excusalsQuery,
  refreshExcusals,
} from "./excusals-queries";
import { useExcusalsTexts } from "./texts/texts";

/** The excusals, newest first. One that is not applied yet can be undone. */
export function ExcusalList() {
  const texts = useExcusalsTexts();
  const pages = useInfiniteQuery(excusalsQuery);
  const items = pages.data?.pages.flatMap((page) => page.items) ?? [];
  if (pages.isError) return <LoadFailed error={pages.error} onRetry={pages.refetch} />;
  if (items.length === 0) return null;
  return (
    <section className={styles.group}>
      <h2>{texts.excusals}</h2>
      <ul className={styles.excusals}>
        {items.map((excusal) => (
          <Row key={excusal.id} excusal={excusal} />
        ))}
      </ul>
      {pages.hasNextPage && (
        <Button
          kind="secondary"
          className={styles.start}
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {texts.showMore}
        </Button>
      )}
    </section>
  );
}

function Row({ excusal }: { readonly excusal: Excusal }) {
  const texts = useExcusalsTexts();
  const { tag } = useLanguage().language;
  const moment = useMoment();
  const instant = useInstant();
  const { status, applies_at: at, settled_at: settled } = excusal;
  const reason = textFor(excusal.text, tag);
  const state = {
    scheduled: () => texts.toldAt(moment(at)),
    applying: () => texts.applying,
    applied: () => texts.applied(moment(settled ?? at)),
    cancelled: () => texts.cancelled(moment(settled ?? at)),
  }[status];
  return (
    <li className="card" data-status={status}>
      <p lang={reason.lang} dir="auto">
        <strong>{reason.text}</strong>
      </p>
      <p className="note">
        {texts.evaluations(excusal.total)} · {texts.by}{" "}
        <bdi className="mono">{excusal.created_by ?? "–"}</bdi> ·{" "}
        <time dateTime={excusal.created_at}>{instant(excusal.created_at)}</time>
        {excusal.market && (
          <>
            {" "}
            · <bdi>{excusal.market}</bdi>
          </>
        )}
      </p>
      <p role="status">
        {state()} {status === "applied" && texts.outcome(excusal.excused)}{" "}
        {status === "applied" && excusal.refused > 0 && texts.refused(excusal.refused)}
      </p>
      {status === "scheduled" && <Undo id={excusal.id} />}
      {status === "applied" && excusal.refused > 0 && <Refused id={excusal.id} />}
    </li>
  );
}

function Undo({ id }: { readonly id: string }) {
  const texts = useExcusalsTexts();
  const client = useQueryClient();
  const undoing = useMutation({
    mutationFn: () => cancelExcusal(id),
    onSuccess: () => toasts.say(texts.undone),
    onSettled: () => refreshExcusals(client),
  });
  const isTooLate = undoing.error instanceof HttpError && problemCode(undoing.error) === "conflict";
  return (
    <>
      <Button
        kind="secondary"
        className={styles.start}
        loading={undoing.isPending}
        onClick={() => undoing.mutate()}
      >
        {texts.undo}
      </Button>
      {isTooLate && (
        <p className="failure" role="alert">
          {texts.tooLate}
        </p>
      )}
      {undoing.error && !isTooLate && <FailureText error={undoing.error} />}
    </>
  );
}

/** The evaluations that could not be excused, with the reasons. */
function Refused({ id }: { readonly id: string }) {
  const texts = useExcusalsTexts();
  const [isOpen, setOpen] = useState(false);
  const detail = useQuery({ ...excusalQuery(id), enabled: isOpen });
  const refused = detail.data?.evaluations.filter(({ result }) => result !== "excused") ?? [];
  const isListed = (code: string): code is keyof typeof texts.results => code in texts.results;
  return (
    <details className={styles.fold} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.notExcused}</summary>
      {detail.isError && <LoadFailed error={detail.error} onRetry={detail.refetch} />}
      <ul>
        {refused.map(({ evaluation_id, user_id, result }) => (
          <li key={evaluation_id}>
            <bdi className="mono">{user_id ?? evaluation_id}</bdi>:{" "}
            {result && isListed(result) ? texts.results[result] : texts.results.other}
          </li>
        ))}
      </ul>
    </details>
  );
}
