import { Button } from "@musette/react/ui";
import { useId, useState } from "react";
import { fileNameWithDate, saveFile } from "../api/download";
import { fileSize } from "../language/file-size";
import { useLanguage } from "../language/language-context";
import { FailureText } from "../ui/states";
import styles from "./export.module.css";
import { type ExportOptions, useSaving } from "./use-saving";

const ENDINGS = { csv: "csv", jsonl: "jsonl", dpv: "jsonld" } as const;
export type ExportFormat = keyof typeof ENDINGS;

interface ExportBarProps<Format extends ExportFormat> {
  /** The file name, before the date. */
  readonly name: string;
  readonly formats: readonly [Format, ...Format[]];
  readonly gather: (format: Format, options: ExportOptions) => Promise<Blob>;
}

/** Exports all rows that match the filters. */
export function ExportBar<Format extends ExportFormat>(props: ExportBarProps<Format>) {
  const { name, formats, gather } = props;
  const { texts, language } = useLanguage();
  const exportTexts = texts.export;
  const id = useId();
  const [format, setFormat] = useState(formats[0]);
  const saving = useSaving(async (options) =>
    saveFile(await gather(format, options), `${fileNameWithDate(name)}.${ENDINGS[format]}`),
  );
  const { rows, bytes } = saving.progress;
  const written = [rows, rows.toLocaleString(language.tag), fileSize(bytes, language.tag)] as const;
  return (
    <div className={styles.export}>
      <label htmlFor={id}>{exportTexts.as}</label>
      <select
        id={id}
        value={format}
        disabled={saving.isSaving}
        onChange={({ target }) =>
          setFormat(formats.find((format) => format === target.value) ?? formats[0])
        }
      >
        {formats.map((format) => (
          <option key={format} value={format}>
            {exportTexts.formats[format]}
          </option>
        ))}
      </select>
      <Button kind="secondary" loading={saving.isSaving} onClick={saving.start}>
        {exportTexts.run}
      </Button>
      {saving.isSaving && (
        <Button kind="quiet" onClick={saving.cancel}>
          {texts.cancel}
        </Button>
      )}
      <span role="status" className="note">
        {saving.isSaving && exportTexts.soFar(...written)}
        {saving.isSaved && exportTexts.done(...written)}
        {saving.wasCancelled && exportTexts.cancelled}
      </span>
      {saving.failure && <FailureText error={saving.failure} />}
    </div>
  );
}
