/**
 * What a spreadsheet would take for a formula and run. A cell that has the mark before one already gets
 * another, as in the server's exports, so that the import can take it away again.
 */
const FORMULA = /^'*[=+\-@\t\r]/;

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** One line as RFC 4180 has it. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;

/** Without it spreadsheets read Arabic names as something else. */
export const BYTE_ORDER_MARK = "\uFEFF";
