/** What a spreadsheet would take for a formula and run. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** One line as RFC 4180 has it. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;

/** Without it spreadsheets read Arabic names as something else. */
export const BYTE_ORDER_MARK = "\uFEFF";
