import type { Term } from "@musette/client/terms";
import { useRef, useState } from "react";
import type { TextsAtHand, ViewerTexts } from "../texts";
import type { DocumentViewer } from "../viewer/document-viewer";

interface Opened {
  readonly Viewer: typeof DocumentViewer;
  readonly words: ViewerTexts;
  readonly terms: readonly Term[];
  readonly index: number;
}

/** The viewer is fetched when the first document is opened. */
export function useViewer(
  texts: TextsAtHand,
  onRead: (id: number, page?: number) => void,
  pdfFrameUrl: string | undefined,
) {
  // Not React.lazy: it keeps a failed import for good, and throws at whoever embeds the screen.
  const [opened, setOpened] = useState<Opened>();
  const [failed, setFailed] = useState(false);
  const asked = useRef<readonly Term[]>([]);

  function show(next: Opened): void {
    setOpened(next);
    const term = next.terms[next.index];
    if (term) onRead(term.id);
  }

  async function open(terms: readonly Term[]): Promise<void> {
    asked.current = terms;
    setFailed(false);
    try {
      const { complete, DocumentViewer } = await import("./viewer-with-words");
      // While it was on its way somebody may have tapped another icon.
      if (asked.current === terms) {
        show({ Viewer: DocumentViewer, words: complete(texts).viewer, terms, index: 0 });
      }
    } catch {
      setFailed(true);
    }
  }

  const viewer = opened && (
    <opened.Viewer
      documents={opened.terms}
      index={opened.index}
      onIndexChange={(index) => show({ ...opened, index })}
      onClose={() => setOpened(undefined)}
      onPage={(id, page) => onRead(Number(id), page)}
      texts={opened.words}
      locale={texts.lang}
      {...(pdfFrameUrl && { pdfFrameUrl })}
    />
  );

  return { open, failed, retry: () => open(asked.current), viewer };
}
