import { Button } from "@musette/react/ui";
import { useMutation } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { dated, fetchFile, type Progress, saveFile } from "../api/download";
import { useLanguage } from "../language/language-context";
import { FailureText } from "../shell/states";
import { type ConsentsSearch, consentsParameters } from "./consents-search";
import { useConsentsTexts } from "./texts/texts";

const FORMATS = ["csv", "jsonl", "dpv"] as const;
type Format = (typeof FORMATS)[number];
const ENDINGS: Readonly<Record<Format, string>> = { csv: "csv", jsonl: "jsonl", dpv: "jsonld" };

/** Everything that fits the filters, as a file that is written while it is read. */
export function ExportPanel({ search }: { readonly search: ConsentsSearch }) {
  const words = useConsentsTexts();
  const { texts, language } = useLanguage();
  const id = useId();
  const [format, setFormat] = useState<Format>("csv");
  const [progress, setProgress] = useState<Progress>({ bytes: 0, rows: 0 });
  const cancel = useRef<AbortController>(undefined);
  const saving = useMutation({
    async mutationFn() {
      cancel.current = new AbortController();
      setProgress({ bytes: 0, rows: 0 });
      const asked = consentsParameters(search);
      asked.set("format", format);
      const file = await fetchFile(`/api/admin/v1/consents/export?${asked}`, {
        signal: cancel.current.signal,
        onProgress: setProgress,
      });
      saveFile(file, `${dated("consents")}.${ENDINGS[format]}`);
    },
  });
  const wasCancelled = saving.error?.name === "AbortError";
  const megabytes = (progress.bytes / 1_000_000).toLocaleString(language.tag, {
    style: "unit",
    unit: "megabyte",
    maximumFractionDigits: 1,
  });
  // A table begins with the names of its columns.
  const rows = Math.max(0, progress.rows - (format === "csv" ? 1 : 0));
  const written = rows.toLocaleString(language.tag);
  return (
    <div className="export">
      <label htmlFor={id}>{words.exportAs}</label>
      <select
        id={id}
        value={format}
        disabled={saving.isPending}
        onChange={({ target }) =>
          setFormat(FORMATS.find((format) => format === target.value) ?? "csv")
        }
      >
        {FORMATS.map((format) => (
          <option key={format} value={format}>
            {words.formats[format]}
          </option>
        ))}
      </select>
      <Button kind="secondary" loading={saving.isPending} onClick={() => saving.mutate()}>
        {words.export}
      </Button>
      {saving.isPending && (
        <Button kind="quiet" onClick={() => cancel.current?.abort()}>
          {texts.cancel}
        </Button>
      )}
      <span role="status" className="note">
        {saving.isPending && words.exporting(written, megabytes)}
        {saving.isSuccess && words.exported(written, megabytes)}
        {wasCancelled && words.exportCancelled}
      </span>
      {saving.isError && !wasCancelled && <FailureText error={saving.error} />}
    </div>
  );
}
