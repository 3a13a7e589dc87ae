import { Button } from "@musette/react/ui";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { useLanguage } from "../../language/language-context";
import { toasts } from "../../toast/toasts";
import { Confirm } from "../../ui/confirm/confirm";
import { Skeleton } from "../../ui/skeleton";
import { LoadFailed } from "../../ui/states";
import styles from "../evaluations.module.css";
import { CandidateTable } from "./candidate-table";
import { previewQuery, refreshExcusals, scheduleExcusal } from "./excusals-queries";
import type { ExcuseSearch } from "./excuse-search";
import { ReasonTexts } from "./reason-texts";
import { type ReasonText, reasonOf, ridersOf, selectedOf } from "./selection";
import { useExcusalsTexts } from "./texts/texts";

/** The evaluations that match, which of them are excused, and the reason that the riders read. */
export function Selection({ search }: { readonly search: ExcuseSearch }) {
  const texts = useExcusalsTexts();
  const { tag } = useLanguage().language;
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const preview = useQuery(previewQuery(search));
  const [deselected, setDeselected] = useState<ReadonlySet<string>>(new Set());
  const [reasons, setReasons] = useState<readonly ReasonText[]>([{ locale: tag, text: "" }]);
  const [isChecked, setChecked] = useState(false);
  const [isAsking, setAsking] = useState(false);
  // A retry sends the same id, so that it is scheduled once.
  const last = useRef<{ readonly of: string; readonly id: string }>(undefined);
  if (preview.isPending) return <Skeleton rows={6} />;
  if (preview.isError) return <LoadFailed error={preview.error} onRetry={preview.refetch} />;
  const { items, has_more: hasMore } = preview.data;
  if (items.length === 0) return <p className="card calm">{texts.nothing}</p>;
  const selected = selectedOf(items, deselected);
  const text = reasonOf(reasons);
  const riders = ridersOf(selected);

  function submit(event: FormEvent): void {
    event.preventDefault();
    setChecked(true);
    if (text === undefined) form.current?.querySelector<HTMLElement>("textarea")?.focus();
    else if (selected.length > 0) setAsking(true);
  }

  async function schedule(): Promise<void> {
    if (text === undefined) return;
    const body = {
      text,
      evaluations: selected.map(({ id, version }) => ({ id, version })),
      ...(search.market && { market: search.market }),
    };
    const of = JSON.stringify(body);
    if (last.current?.of !== of) last.current = { of, id: crypto.randomUUID() };
    await scheduleExcusal(last.current.id, body);
    last.current = undefined;
    setReasons([{ locale: tag, text: "" }]);
    setChecked(false);
    toasts.say(texts.scheduled);
    await refreshExcusals(client);
  }

  return (
    <>
      {hasMore && <p className="failure">{texts.hasMore}</p>}
      <p role="status">
        <strong>{texts.selected(selected.length)}</strong> {texts.ofRiders(riders)}{" "}
        {selected.length < items.length && texts.notSelected(items.length - selected.length)}
      </p>
      <CandidateTable items={items} deselected={deselected} onChange={setDeselected} />
      <form ref={form} className={`card ${styles.section}`} noValidate onSubmit={submit}>
        <h2>{texts.reason}</h2>
        <ReasonTexts
          texts={reasons}
          error={isChecked && text === undefined ? texts.textRequired : undefined}
          onChange={setReasons}
        />
        <Button type="submit" className={styles.start} disabled={selected.length === 0}>
          {texts.excuse}
        </Button>
      </form>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={texts.excuse}
        action={texts.excuse}
        isUndoable
        onConfirm={schedule}
      >
        <p>
          <strong>{texts.selected(selected.length)}</strong> {texts.ofRiders(riders)}
        </p>
        <p>{texts.consequence}</p>
        {Object.entries(text ?? {}).map(([locale, written]) => (
          <p key={locale} className={styles.message}>
            <bdi className="mono note">{locale}</bdi>{" "}
            <span lang={locale} dir="auto">
              {written}
            </span>
          </p>
        ))}
      </Confirm>
    </>
  );
}
