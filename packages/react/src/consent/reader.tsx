import type { Term } from "@musette/client/terms";
import { useCallback, useEffect, useState } from "react";
import type { ConsentTexts, TextsAtHand, ViewerTexts } from "../texts";
import type { DocumentViewer } from "../viewer/document-viewer";
import { loadJson } from "../viewer/manifest";
import { documentSource } from "../viewer/source";
import type { ErrorNotice } from "./frame";

export interface ReaderProps {
  readonly documents: readonly Term[];
  readonly words: TextsAtHand;
  readonly texts: ConsentTexts;
  readonly pdfFrameUrl: string | undefined;
  readonly onRead: (id: number, page: number) => void;
  readonly onClose: () => void;
  /** The screen's own: a second copy would come with this one. */
  readonly Notice: typeof ErrorNotice;
}

/** The viewer's own code and what it asks for first, all at once instead of one after the other. */
export function prepareReader(documents: readonly Term[]): void {
  for (const { content } of documents) {
    const manifest = documentSource(content)?.manifest;
    if (manifest) loadJson(manifest, globalThis.fetch).catch(() => {});
  }
  import("./viewer-with-words").catch(() => {});
}

interface Opened {
  readonly Viewer: typeof DocumentViewer;
  readonly words: ViewerTexts;
}

/** The viewer, which is fetched when the first document is opened. */
export function Reader({ documents, words, texts, pdfFrameUrl, Notice, ...on }: ReaderProps) {
  // Not React.lazy: it keeps a failed import for good, and throws at whoever embeds the screen.
  const [opened, setOpened] = useState<Opened>();
  const [failed, setFailed] = useState(false);
  const [index, setIndex] = useState(0);

  const open = useCallback(async () => {
    setFailed(false);
    try {
      const { complete, DocumentViewer } = await import("./viewer-with-words");
      setOpened({ Viewer: DocumentViewer, words: complete(words).viewer });
    } catch {
      setFailed(true);
    }
  }, [words]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for what was tapped
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
        texts={opened.words}
        locale={words.lang}
        {...(pdfFrameUrl && { pdfFrameUrl })}
      />
    )
  );
}
