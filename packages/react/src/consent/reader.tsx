import type { Term } from "@musette/client/terms";
import { useCallback, useEffect, useState } from "react";
import type { ConsentTexts, TextsAtHand, ViewerTexts } from "../texts";
import type { DocumentViewer } from "../viewer/document-viewer";
import { loadJson } from "../viewer/manifest";
import { documentSource } from "../viewer/source";
import type { ErrorNotice } from "./frame";

export interface ReaderProps {
  readonly documents: readonly Term[];
  readonly allTexts: TextsAtHand;
  readonly texts: ConsentTexts;
  readonly pdfFrameUrl: string | undefined;
  readonly onRead: (id: number, page: number) => void;
  readonly onClose: () => void;
  /** The component of the screen. An import here would add a second copy to this chunk. */
  readonly Notice: typeof ErrorNotice;
}

/** Prefetches the code of the viewer and the manifests of the documents in parallel. */
export function prepareReader(documents: readonly Term[]): void {
  for (const { content } of documents) {
    const manifest = documentSource(content)?.manifest;
    if (manifest) loadJson(manifest, globalThis.fetch).catch(() => {});
  }
  import("./viewer-with-words").catch(() => {});
}

interface Opened {
  readonly Viewer: typeof DocumentViewer;
  readonly texts: ViewerTexts;
}

/** Shows the viewer. Loads its code when the user opens the first document. */
export function Reader({ documents, allTexts, texts, pdfFrameUrl, Notice, ...on }: ReaderProps) {
  // Not React.lazy, because it caches a failed import forever and throws into the host's tree.
  const [opened, setOpened] = useState<Opened>();
  const [failed, setFailed] = useState(false);
  const [index, setIndex] = useState(0);

  const open = useCallback(async () => {
    setFailed(false);
    try {
      const { complete, DocumentViewer } = await import("./viewer-with-words");
      setOpened({ Viewer: DocumentViewer, texts: complete(allTexts).viewer });
    } catch {
      setFailed(true);
    }
  }, [allTexts]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for the opened document
  useEffect(() => {
    prepareReader(documents.slice(0, 1));
    open();
  }, []);

  if (failed) {
    return (
      <Notice retry={texts.tryAgain} onRetry={open}>
        {texts.viewerFailed}
      </Notice>
    );
  }
  return (
    opened && (
      <opened.Viewer
        documents={documents}
        index={index}
        onIndexChange={setIndex}
        onClose={on.onClose}
        onPage={(id, page) => on.onRead(Number(id), page)}
        texts={opened.texts}
        locale={allTexts.lang}
        {...(pdfFrameUrl && { pdfFrameUrl })}
      />
    )
  );
}
