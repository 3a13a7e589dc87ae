import { useEffect, useEffectEvent } from "react";

/** A key of one page: it works, and `?` shows it, while the page that has it is there. */
export interface Shortcut {
  /** A letter, or a name as `KeyboardEvent.key` has it. */
  readonly key: string;
  /** What it does. */
  readonly words: string;
  readonly run: () => void;
}

const present = new Set<Shortcut>();

export const pageShortcuts = (): readonly Shortcut[] => [...present];

export function useShortcut({ key, words, run }: Shortcut): void {
  const latest = useEffectEvent(run);
  useEffect(() => {
    const shortcut = { key, words, run: () => latest() };
    present.add(shortcut);
    return () => void present.delete(shortcut);
  }, [key, words]);
}
