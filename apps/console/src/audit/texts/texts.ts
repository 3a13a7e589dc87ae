import { pageTexts } from "../../language/page-texts";
import type { AuditFormat } from "../audit-file";

export interface AuditTexts {
  readonly search: string;
  readonly searchHint: string;
  readonly exportAs: string;
  readonly formats: Readonly<Record<AuditFormat, string>>;
  readonly export: string;
  readonly exporting: (rows: string) => string;
  readonly exported: (rows: string) => string;
  readonly cancelled: string;
}

export const useAuditTexts = pageTexts<AuditTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
