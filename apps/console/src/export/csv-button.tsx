import { Button } from "@musette/react/ui";
import { fileNameWithDate, saveFile } from "../api/download";
import { fileSize } from "../language/file-size";
import { useLanguage } from "../language/language-context";
import { FailureText } from "../ui/states";
import { type CsvPage, csvOfPages } from "./csv-pages";
import styles from "./export.module.css";
import { useSaving } from "./use-saving";

interface CsvButtonProps {
  readonly label: string;
  /** The file name, before the date. */
  readonly name: string;
  readonly header: readonly string[];
  readonly fetch: (after: string | undefined) => Promise<CsvPage>;
}

/** Exports all pages of a list as CSV. */
export function CsvButton({ label, name, header, fetch }: CsvButtonProps) {
  const { texts, language } = useLanguage();
  const exportTexts = texts.export;
  const saving = useSaving(async (options) =>
    saveFile(await csvOfPages(fetch, header, options), `${fileNameWithDate(name)}.csv`),
  );
  const { rows, bytes } = saving.progress;
  const written = [rows, rows.toLocaleString(language.tag), fileSize(bytes, language.tag)] as const;
  return (
    <div className={styles.export}>
      <Button kind="secondary" loading={saving.isSaving} onClick={saving.start}>
        {label}
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
