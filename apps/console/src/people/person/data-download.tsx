import { urlOf } from "../../api/client";
import { fileNameWithDate } from "../../api/download";
import sheetStyles from "../../ui/sheet.module.css";
import { DownloadButton } from "./download-button";
import { StoredData } from "./stored-data";
import { usePersonTexts } from "./texts/texts";

/** Downloads a copy of all stored data of a person, to hand to them. */
export function DataDownload({ userId }: { readonly userId: string }) {
  const texts = usePersonTexts();
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{texts.data}</h2>
      <p className="note">{texts.dataHint}</p>
      <DownloadButton
        label={texts.downloadData}
        url={urlOf("/api/admin/v1/people/{userId}/data", { path: { userId } })}
        name={`${fileNameWithDate(`person-${userId}`)}.json`}
      />
      <StoredData userId={userId} />
    </section>
  );
}
