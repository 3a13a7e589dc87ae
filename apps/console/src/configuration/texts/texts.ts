import { pageTexts } from "../../language/page-texts";

export interface ConfigurationTexts {
  readonly environment: string;
  readonly none: string;
  readonly noneHint: string;
  readonly tabs: Readonly<Record<"label" | "flags", string>>;
  readonly flag: string;
  readonly comment: string;
  readonly showChanges: string;
  readonly reverted: (version: string) => string;
  readonly notReverted: string;
  readonly planTitle: string;
  readonly planWhat: string;
  readonly whats: Readonly<Record<"on" | "off" | "edited", string>>;
  readonly planned: Readonly<Record<"on" | "off" | "edited", (flag: string) => string>>;
  readonly planAt: string;
  readonly inZone: (zone: string) => string;
  readonly planHint: string;
  readonly planIt: string;
  readonly isPlanned: string;

  readonly copyTitle: (flag: string) => string;
  readonly copyHint: string;
  readonly copyTo: string;
  readonly copyComment: (flag: string, from: string) => string;
  readonly copied: (flag: string, to: string) => string;
  readonly restored: string;
  readonly discardDraft: string;
}

export const useConfigurationTexts = pageTexts<ConfigurationTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
