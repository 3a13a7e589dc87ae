import type { Term } from "@musette/client/terms";
import { useRef, useState } from "react";
import type { Texts } from "../texts";
import type { DocumentViewer, ViewerDocument } from "../viewer/document-viewer";

interface Shown {
  readonly documents: readonly ViewerDocument[];
  readonly index: number;
}

function documentOf({ id, title, content, sha256, locale }: Term): ViewerDocument {
  return { id, title, content, ...(sha256 && { sha256 }), ...(locale && { locale }) };
}

/** The viewer is fetched when the first document is opened. */
export function useViewer(
  texts: Texts,
  onRead: (id: number, page?: number) => void,
  pdfFrameUrl: string | undefined,
) {
  // Not React.lazy: it keeps a failed import for good, and throws at whoever embeds the screen.
  const [Viewer, setViewer] = useState<typeof DocumentViewer>();
  const [shown, setShown] = useState<Shown>();
  const [failed, setFailed] = useState(false);
  const asked = useRef<readonly Term[]>([]);

  async function open(terms: readonly Term[]): Promise<void> {
    asked.current = terms;
    setFailed(false);
    try {
      const { DocumentViewer } = await import("../viewer/document-viewer");
      // While it was on its way somebody may have tapped another icon.
      if (asked.current !== terms) return;
      setViewer(() => DocumentViewer);
      setShown({ documents: terms.map(documentOf), index: 0 });
      if (terms[0]) onRead(terms[0].id);
    } catch {
      setFailed(true);
    }
  }

  const viewer = Viewer && shown && (
    <Viewer
      documents={shown.documents}
      index={shown.index}
      onIndexChange={(index) => {
        setShown({ ...shown, index });
        const next = shown.documents[index];
        if (next) onRead(Number(next.id));
      }}
      onClose={() => setShown(undefined)}
      onPage={(id, page) => onRead(Number(id), page)}
      texts={texts.viewer}
      locale={texts.lang}
      {...(pdfFrameUrl && { pdfFrameUrl })}
    />
  );

  return { open, failed, retry: () => open(asked.current), viewer };
}
