type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/**
 * Formats a number with its noun in the plural form of this language (CLDR). `#` is replaced by the
 * number.
 */
export function plural(tag: string, forms: Forms): (count: number) => string {
  const [rules, numbers] = [new Intl.PluralRules(tag), new Intl.NumberFormat(tag)];
  return (count) => (forms[rules.select(count)] ?? forms.other).replace("#", numbers.format(count));
}
