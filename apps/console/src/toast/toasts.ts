export interface Toast {
  readonly id: number;
  readonly message: string;
  /** Undoes the action. */
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
  /** Shows a toast. The oldest is removed if there are too many. */
  say(message: string, undo?: () => unknown): void {
    show([...shown.slice(-2), { id: next++, message, ...(undo && { undo }) }]);
  },
  close(id: number): void {
    show(shown.filter((toast) => toast.id !== id));
  },
};
