import { Button } from "@musette/react/ui";
import { fetchFile, saveFile } from "../../api/download";
import { useSaving } from "../../export/use-saving";
import { fileSize } from "../../language/file-size";
import { useLanguage } from "../../language/language-context";
import { FailureText } from "../../ui/states";
import styles from "./person.module.css";
import { usePersonTexts } from "./texts/texts";

/** Downloads a file that the server creates while sending it, and shows the progress. */
export function DownloadButton(props: {
  readonly label: string;
  readonly url: string;
  readonly name: string;
}) {
  const personTexts = usePersonTexts();
  const { texts, language } = useLanguage();
  const { isSaving, isSaved, progress, failure, start, cancel } = useSaving(async (asked) =>
    saveFile(await fetchFile(props.url, asked), props.name),
  );
  const size = fileSize(progress.bytes, language.tag);
  return (
    <>
      <div className={styles.inlineActions}>
        <Button kind="secondary" loading={isSaving} onClick={start}>
          {props.label}
        </Button>
        {isSaving && (
          <Button kind="quiet" onClick={cancel}>
            {texts.cancel}
          </Button>
        )}
        <span role="status" className="note">
          {isSaving && personTexts.downloading(size)}
          {isSaved && personTexts.downloaded(size)}
        </span>
      </div>
      {failure && <FailureText error={failure} />}
    </>
  );
}
