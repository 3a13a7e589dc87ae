/**
 * Text that a spreadsheet would run as a formula. A cell that already has the mark gets another
 * one, as in the server's exports, so that the import can remove it.
 */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;
/**
 * A formula after a separator. A program that expects another separator than the comma begins a new
 * cell there.
 */
const AFTER_SEPARATORS = /^('*[ ,;|\t\n\r]*[,;|\t\n\r][ ,;|\t\n\r]*)('*[=+\-@＝＋－＠])/;

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text.replace(AFTER_SEPARATORS, "'$1'$2");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** One line of CSV (RFC 4180). */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;

/** The byte order mark: without it spreadsheets do not read the file as UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";
