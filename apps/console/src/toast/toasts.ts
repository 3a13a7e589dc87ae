export interface Toast {
  readonly id: number;
  readonly words: string;
  /** Takes back what was just done. */
  readonly undo?: () => unknown;
}

let next = 1;
let shown: readonly Toast[] = [];
const listeners = new Set<() => void>();

function show(toasts: readonly Toast[]): void {
  shown = toasts;
  for (const listener of listeners) listener();
}

export const toasts = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  now: (): readonly Toast[] => shown,
  /** Says what was done; the oldest make room, so that they never cover the page. */
  say(words: string, undo?: () => unknown): void {
    show([...shown.slice(-2), { id: next++, words, ...(undo && { undo }) }]);
  },
  close(id: number): void {
    show(shown.filter((toast) => toast.id !== id));
  },
};
