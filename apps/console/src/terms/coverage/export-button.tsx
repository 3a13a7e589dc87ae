import { Button } from "@musette/react/ui";
import { useEffect, useRef, useState } from "react";
import { saveFile } from "../../api/download";
import { dayOf } from "../../language/days";
import { useLanguage } from "../../language/language-context";
import { toasts } from "../../toast/toasts";
import styles from "./coverage.module.css";
import type { MissingFilter } from "./coverage-query";
import { missingAsCsv, missingOf } from "./export-missing";
import { useCoverageTexts } from "./texts/texts";

interface ExportMissingProps {
  readonly filter: MissingFilter;
  /** The number of riders in the list. */
  readonly total: number;
}

export function ExportMissing({ filter, total }: ExportMissingProps) {
  const texts = useCoverageTexts();
  const { tag } = useLanguage().language;
  const [written, setWritten] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const count = (value: number) => value.toLocaleString(tag);

  async function save(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    let last = 0;
    setWritten(0);
    try {
      const onProgress = (now: number) => {
        last = now;
        if (!signal.aborted) setWritten(now);
      };
      const header = [texts.id, texts.name];
      const file = await missingAsCsv(missingOf(filter), header, { signal, onProgress });
      const date = filter.asOf ? `-${dayOf(new Date(filter.asOf))}` : "";
      saveFile(file, `${filter.list}-${filter.term}${date}.csv`);
      toasts.say(texts.exported(count(last)));
    } catch {
      if (!signal.aborted) toasts.say(texts.exportFailed);
    }
    if (running.current === controller) setWritten(undefined);
  }

  if (written === undefined) {
    return (
      <Button kind="secondary" onClick={() => void save()}>
        {texts.export}
      </Button>
    );
  }
  // With a search, the number of matches is unknown before the end.
  const isKnown = total > 0 && !filter.q;
  return (
    <div className={styles.exporting}>
      <progress
        aria-label={texts.export}
        {...(isKnown && { max: total, value: Math.min(written, total) })}
      />
      <span className="note" role="status">
        {texts.exporting(count(written))}
      </span>
      <Button
        kind="secondary"
        onClick={() => {
          running.current?.abort();
          setWritten(undefined);
        }}
      >
        {texts.cancel}
      </Button>
    </div>
  );
}
