import { pageTexts } from "../../language/page-texts";

export interface KeyboardTexts {
  readonly title: string;
  readonly everywhere: string;
  readonly goTo: string;
  readonly lists: string;
  readonly here: string;
  readonly palette: string;
  readonly search: string;
  readonly map: string;
  readonly escape: string;
  readonly rows: string;
  readonly tenRows: string;
  readonly ends: string;
  readonly openRow: string;
  /** Between two keys that are pressed one after the other. */
  readonly andThen: string;
  readonly or: string;
  readonly singleKeys: string;
  readonly singleKeysHint: string;
  /** As they stand on a keyboard. */
  readonly keys: {
    readonly control: string;
    readonly escape: string;
    readonly enter: string;
    readonly home: string;
    readonly end: string;
    readonly pageUp: string;
    readonly pageDown: string;
  };
}

export const useKeyboardTexts = pageTexts<KeyboardTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
