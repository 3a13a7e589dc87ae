/** Whether a key event belongs to a text field or an open dialog. */
export function isForTextEntry(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open]")) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, select, textarea") !== null;
}

interface Pressed {
  readonly key: string;
  readonly code: string;
}

/**
 * Returns the Latin letter of a key: its character, or the letter of its position on a non-Latin
 * layout.
 */
export function letterOf({ key, code }: Pressed): string {
  const written = key.toLowerCase();
  if (written.length === 1 && written <= "\u007f") return written;
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? written;
}

export const isQuestionMark = ({ key }: Pressed): boolean => key === "?" || key === "؟";
