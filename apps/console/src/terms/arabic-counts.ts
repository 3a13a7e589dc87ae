const rule = new Intl.PluralRules("ar");

/** Returns the number of riders, which is at least one, in the plural form of Arabic. */
export function riders(count: number, written: string): string {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = {
    one: "سائق واحد",
    two: "سائقين",
    few: `${written} سائقين`,
    many: `${written} سائقًا`,
  };
  return forms[rule.select(count)] ?? `${written} سائق`;
}

export function pagesOf(count: number, written: string): string {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = {
    one: "صفحة واحدة",
    two: "صفحتان",
    few: `${written} صفحات`,
  };
  return forms[rule.select(count)] ?? `${written} صفحة`;
}

export function thingsMissing(count: number, written: string): string {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = {
    one: "ينقص أمر واحد",
    two: "ينقص أمران",
    few: `تنقص ${written} أمور`,
    many: `ينقص ${written} أمرًا`,
  };
  return forms[rule.select(count)] ?? `ينقص ${written} أمر`;
}

export function agreements(count: number, written: string): string {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = {
    zero: "لا توجد موافقات سابقة.",
    one: "موافقة شخص واحد تسري على هذه النسخة أيضًا.",
    two: "موافقة شخصين تسري على هذه النسخة أيضًا.",
    few: `موافقات ${written} أشخاص تسري على هذه النسخة أيضًا.`,
    many: `موافقات ${written} شخصًا تسري على هذه النسخة أيضًا.`,
  };
  return forms[rule.select(count)] ?? `موافقات ${written} شخص تسري على هذه النسخة أيضًا.`;
}
