import { Button } from "@musette/react/ui";
import { urlOf } from "../../api/client";
import { dated, fetchFile, saveFile } from "../../api/download";
import { useSaving } from "../../export/use-saving";
import { fileSize } from "../../language/file-size";
import { useLanguage } from "../../language/language-context";
import { FailureText } from "../../ui/states";
import styles from "./person.module.css";
import { usePersonTexts } from "./texts/texts";

/** A copy of all that is kept of somebody, to be handed to them. */
export function DataDownload({ userId }: { readonly userId: string }) {
  const words = usePersonTexts();
  const { texts, language } = useLanguage();
  const { isSaving, isSaved, progress, failure, start, cancel } = useSaving(async (asked) =>
    saveFile(
      await fetchFile(urlOf("/api/admin/v1/people/{userId}/data", { path: { userId } }), asked),
      `${dated(`person-${userId}`)}.json`,
    ),
  );
  const size = fileSize(progress.bytes, language.tag);
  return (
    <section className="card sheet">
      <h2>{words.data}</h2>
      <p className="note">{words.dataHint}</p>
      <div className={styles.inlineActions}>
        <Button kind="secondary" loading={isSaving} onClick={start}>
          {words.downloadData}
        </Button>
        {isSaving && (
          <Button kind="quiet" onClick={cancel}>
            {texts.cancel}
          </Button>
        )}
        <span role="status" className="note">
          {isSaving && words.downloading(size)}
          {isSaved && words.downloaded(size)}
        </span>
      </div>
      {failure && <FailureText error={failure} />}
    </section>
  );
}
