import { urlOf } from "../../api/client";
import { fileNameWithDate } from "../../api/download";
import sheetStyles from "../../ui/sheet.module.css";
import { DownloadButton } from "./download-button";
import { KeptData } from "./kept-data";
import { usePersonTexts } from "./texts/texts";

/** Downloads a copy of all stored data of a person, to hand to them. */
export function DataDownload({ userId }: { readonly userId: string }) {
  const words = usePersonTexts();
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{words.data}</h2>
      <p className="note">{words.dataHint}</p>
      <DownloadButton
        label={words.downloadData}
        url={urlOf("/api/admin/v1/people/{userId}/data", { path: { userId } })}
        name={`${fileNameWithDate(`person-${userId}`)}.json`}
      />
      <KeptData userId={userId} />
    </section>
  );
}
