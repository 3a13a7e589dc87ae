/** Every word the components show. A language is one object of this shape; a host may bring its own. */
export interface Texts {
  readonly consent: ConsentTexts;
  readonly viewer: ViewerTexts;
  readonly ui: UiTexts;
}

export interface ConsentTexts {
  readonly title: string;
}

export interface ViewerTexts {
  readonly close: string;
  readonly back: string;
  readonly previous: string;
  readonly next: string;
  /** Which of several documents is shown: "2 of 5". */
  readonly position: (n: number, total: number) => string;
  readonly page: (n: number, total: number) => string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly readingView: string;
  readonly pageView: string;
  readonly originalPdf: string;
  readonly download: string;
  readonly loading: string;
  readonly failed: string;
  readonly tryAgain: string;
  /** A scan has pictures of pages and no words. */
  readonly noText: string;
  /** Back to the size at which a page fills the width. */
  readonly fit: string;
  readonly textLarger: string;
  readonly textSmaller: string;
  /** Offered on narrow screens, where the print of a page is too small to read. */
  readonly readAsText: string;
}

export interface UiTexts {
  readonly close: string;
  readonly loading: string;
}
