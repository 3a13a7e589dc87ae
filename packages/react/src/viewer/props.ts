import type { ViewerTexts } from "../texts/texts";
import type { Fetch } from "./manifest";

/** A document that the viewer can show. */
export interface ViewerDocument {
  readonly id: number | string;
  readonly title: string;
  /** A link to the document, a PDF. */
  readonly content: string;
  /** Hash of the document in hex; ours are found by it. */
  readonly sha256?: string;
  readonly locale?: string;
}

/** Props of `DocumentViewer`. */
export interface DocumentViewerProps {
  readonly documents: readonly ViewerDocument[];
  /** The place of the shown document in `documents`, from 0. */
  readonly index: number;
  readonly onIndexChange: (index: number) => void;
  readonly onClose: () => void;
  /** Called when a page, or its text, was drawn on the screen while it was in view. */
  readonly onPage?: (id: ViewerDocument["id"], page: number) => void;
  readonly texts: ViewerTexts;
  readonly locale?: string;
  readonly fetch?: Fetch;
  /** Where the host serves the page that draws documents which are not ours. Default `/viewer/frame.html`. */
  readonly pdfFrameUrl?: string;
}
