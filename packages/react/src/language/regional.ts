/** The language as this device writes it, for dates: English ones differ between London and Chicago. */
export function regional(tag: string): string {
  return navigator.languages.find((own) => own.startsWith(`${tag}-`)) ?? tag;
}
