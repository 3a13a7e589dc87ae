import type { Term } from "@musette/client/terms";
import { useRef, useState } from "react";
import type { TextsAtHand, ViewerTexts } from "../texts";
import { complete } from "../texts/languages";
import type { DocumentViewer, ViewerDocument } from "../viewer/document-viewer";

interface Opened {
  readonly Viewer: typeof DocumentViewer;
  readonly words: ViewerTexts;
  readonly documents: readonly ViewerDocument[];
  readonly index: number;
}

function documentOf({ id, title, content, sha256, locale }: Term): ViewerDocument {
  return { id, title, content, ...(sha256 && { sha256 }), ...(locale && { locale }) };
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

  async function open(terms: readonly Term[]): Promise<void> {
    asked.current = terms;
    setFailed(false);
    try {
      const [{ DocumentViewer }, { viewer }] = await Promise.all([
        import("../viewer/document-viewer"),
        complete(texts),
      ]);
      // While it was on its way somebody may have tapped another icon.
      if (asked.current !== terms) return;
      const documents = terms.map(documentOf);
      setOpened({ Viewer: DocumentViewer, words: viewer, documents, index: 0 });
      if (terms[0]) onRead(terms[0].id);
    } catch {
      setFailed(true);
    }
  }

  const viewer = opened && (
    <opened.Viewer
      documents={opened.documents}
      index={opened.index}
      onIndexChange={(index) => {
        setOpened({ ...opened, index });
        const next = opened.documents[index];
        if (next) onRead(Number(next.id));
      }}
      onClose={() => setOpened(undefined)}
      onPage={(id, page) => onRead(Number(id), page)}
      texts={opened.words}
      locale={texts.lang}
      {...(pdfFrameUrl && { pdfFrameUrl })}
    />
  );

  return { open, failed, retry: () => open(asked.current), viewer };
}
