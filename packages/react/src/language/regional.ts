/** Returns the regional variant of a language on this device, for dates. They differ between London and Chicago. */
export function regional(tag: string): string {
  return navigator.languages.find((preferred) => preferred.startsWith(`${tag}-`)) ?? tag;
}
