import type { AuditTexts } from "./texts";

export const de: AuditTexts = {
  search: "Suche",
  searchHint: "Ereignis, Einzelheit oder Benutzer-ID",
  exportAs: "Diese exportieren als",
  formats: { csv: "CSV, für eine Tabelle", jsonl: "JSON-Zeilen, für ein Programm" },
  export: "Exportieren",
  exporting: (rows) => `Bisher ${rows} Einträge`,
  exported: (rows) => `Exportiert: ${rows} Einträge`,
  cancelled: "Abgebrochen. Es wurde nichts gespeichert.",
};
