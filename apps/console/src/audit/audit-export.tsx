import { Button } from "@musette/react/ui";
import { useMutation } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { dated, saveFile } from "../api/download";
import { useLanguage } from "../language/language-context";
import { FailureText } from "../shell/states";
import { AUDIT_FORMATS, type AuditFormat, gatherAudit } from "./audit-file";
import type { AuditSearch } from "./audit-search";
import { useAuditTexts } from "./texts/texts";

/** Everything that fits the filters, page by page, as a file. */
export function AuditExport({ search }: { readonly search: AuditSearch }) {
  const words = useAuditTexts();
  const { texts, language } = useLanguage();
  const id = useId();
  const [format, setFormat] = useState<AuditFormat>("csv");
  const [rows, setRows] = useState(0);
  const cancel = useRef<AbortController>(undefined);
  const saving = useMutation({
    async mutationFn() {
      cancel.current = new AbortController();
      setRows(0);
      const { signal } = cancel.current;
      const file = await gatherAudit(search, format, { signal, onRows: setRows });
      saveFile(file, `${dated("audit")}.${format}`);
    },
  });
  const wasCancelled = saving.error?.name === "AbortError";
  const written = rows.toLocaleString(language.tag);
  return (
    <div className="export">
      <label htmlFor={id}>{words.exportAs}</label>
      <select
        id={id}
        value={format}
        disabled={saving.isPending}
        onChange={({ target }) =>
          setFormat(AUDIT_FORMATS.find((format) => format === target.value) ?? "csv")
        }
      >
        {AUDIT_FORMATS.map((format) => (
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
        {saving.isPending && words.exporting(written)}
        {saving.isSuccess && words.exported(written)}
        {wasCancelled && words.cancelled}
      </span>
      {saving.isError && !wasCancelled && <FailureText error={saving.error} />}
    </div>
  );
}
