import type { Page } from "@playwright/test";

/** One screen of the console, as it is looked at by axe and for pictures. */
export interface Screen {
  readonly name: string;
  /** Beneath `/console/`. */
  readonly path: string;
  /** Waits for what it shows, by nothing that differs from language to language. */
  readonly ready: (page: Page) => Promise<void>;
}
