import { useEffect, useEffectEvent } from "react";

/** Registers a shortcut of one page, listed by `?` as long as the page is mounted. */
export interface Shortcut {
  /** A value of `KeyboardEvent.key`. */
  readonly key: string;
  /** The label of the action. */
  readonly label: string;
  readonly run: () => void;
}

const present = new Set<Shortcut>();

export const pageShortcuts = (): readonly Shortcut[] => [...present];

export function useShortcut({ key, label, run }: Shortcut): void {
  const latest = useEffectEvent(run);
  useEffect(() => {
    const shortcut = { key, label, run: () => latest() };
    present.add(shortcut);
    return () => void present.delete(shortcut);
  }, [key, label]);
}
