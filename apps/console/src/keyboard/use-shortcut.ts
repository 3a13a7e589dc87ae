import { useEffect, useEffectEvent } from "react";

/** Registers a shortcut of one page, listed by `?` as long as the page is mounted. */
export interface Shortcut {
  /** A value of `KeyboardEvent.key`. */
  readonly key: string;
  /** The label of the action. */
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
