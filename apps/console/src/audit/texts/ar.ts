import type { AuditTexts } from "./texts";

export const ar: AuditTexts = {
  search: "بحث",
  searchHint: "الحدث أو التفصيل أو معرّف المستخدم",
  exportAs: "تصدير المعروض بصيغة",
  formats: { csv: "CSV لجداول البيانات", jsonl: "أسطر JSON للبرامج" },
  export: "تصدير",
  exporting: (rows) => `القيود حتى الآن: ${rows}`,
  exported: (rows) => `تم التصدير. القيود: ${rows}`,
  cancelled: "أُلغي، ولم يُحفظ شيء.",
};
