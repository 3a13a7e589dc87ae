import type { ViewerTexts } from "../texts/texts";
import type { Fetch } from "./manifest";

/** A document that the viewer can show. */
export interface ViewerDocument {
  /** A unique id, which `onPage` returns. */
  readonly id: number | string;
  readonly title: string;
  /** A link to the PDF. */
  readonly content: string;
  /** SHA-256 of the document in hex. A PDF that Musette does not serve must have it. */
  readonly sha256?: string;
  readonly locale?: string;
}

/** Props of `DocumentViewer`. */
export interface DocumentViewerProps {
  readonly documents: readonly ViewerDocument[];
  /** The index of the current document in `documents`. */
  readonly index: number;
  /** Called when the user opens another document. The owner then sets `index`. */
  readonly onIndexChange: (index: number) => void;
  readonly onClose: () => void;
  /** Called when a page, or its text, was rendered on the screen while in view. */
  readonly onPage?: (id: ViewerDocument["id"], page: number) => void;
  readonly texts: ViewerTexts;
  readonly locale?: string;
  readonly fetch?: Fetch;
  /** The page that renders PDFs which Musette does not serve. Default `/viewer/frame.html`. */
  readonly pdfFrameUrl?: string;
}
