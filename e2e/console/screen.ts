import type { Page } from "@playwright/test";

/** One screen of the console, for axe and for pictures. */
export interface Screen {
  readonly name: string;
  /** Relative to `/console/`. */
  readonly path: string;
  /** Waits for the content, independently of the language. */
  readonly ready: (page: Page) => Promise<void>;
}
