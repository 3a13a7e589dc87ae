import { Button } from "@musette/react/ui";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { dated, fetchFile, type Progress, saveFile } from "../api/download";
import { useLanguage } from "../language/language-context";
import { FailureText } from "../shell/states";
import { personPath } from "./person-queries";
import { usePersonTexts } from "./texts/texts";

/** A copy of all that is kept of somebody, to be handed to them. */
export function DataDownload({ userId }: { readonly userId: string }) {
  const words = usePersonTexts();
  const { texts, language } = useLanguage();
  const [progress, setProgress] = useState<Progress>();
  const cancel = useRef<AbortController>(undefined);
  const download = useMutation({
    async mutationFn() {
      cancel.current = new AbortController();
      setProgress({ bytes: 0, rows: 0 });
      const url = `/api/admin/v1${personPath(userId)}/data`;
      const file = await fetchFile(url, { signal: cancel.current.signal, onProgress: setProgress });
      saveFile(file, `${dated(`person-${userId}`)}.json`);
      return file.size;
    },
  });
  const wasCancelled = download.error?.name === "AbortError";
  const size = new Intl.NumberFormat(language.tag, {
    style: "unit",
    unit: "kilobyte",
    maximumFractionDigits: 1,
  });
  const bytes = download.data ?? progress?.bytes ?? 0;
  return (
    <section className="card sheet">
      <h2>{words.data}</h2>
      <p className="note">{words.dataHint}</p>
      <div className="inline-actions">
        <Button kind="secondary" loading={download.isPending} onClick={() => download.mutate()}>
          {words.downloadData}
        </Button>
        {download.isPending && (
          <Button kind="quiet" onClick={() => cancel.current?.abort()}>
            {texts.cancel}
          </Button>
        )}
        <span role="status" className="note">
          {download.isPending && words.downloading(size.format(bytes / 1000))}
          {download.isSuccess && words.downloaded(size.format(bytes / 1000))}
        </span>
      </div>
      {download.isError && !wasCancelled && <FailureText error={download.error} />}
    </section>
  );
}
