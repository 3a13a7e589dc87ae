import type { ViewerTexts } from "../texts/texts";
import type { Fetch } from "./manifest";

export interface ViewerDocument {
  readonly id: number | string;
  readonly title: string;
  readonly content: string;
  readonly sha256?: string;
  readonly locale?: string;
}

export interface DocumentViewerProps {
  readonly documents: readonly ViewerDocument[];
  readonly index: number;
  readonly onIndexChange: (index: number) => void;
  readonly onClose: () => void;
  /** This page, or the text of it, was drawn on the screen while it was in view. */
  readonly onPage?: (id: ViewerDocument["id"], page: number) => void;
  readonly texts: ViewerTexts;
  readonly locale?: string;
  readonly fetch?: Fetch;
  /** Where the host serves the page that draws other people's PDFs. */
  readonly pdfFrameUrl?: string;
}
