import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";

/** The number of rows that Page Up and Page Down move by. */
const PAGE_ROWS = 10;

const steps: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  PageDown: (index) => index + PAGE_ROWS,
  PageUp: (index) => index - PAGE_ROWS,
  Home: () => 0,
  End: (_, last) => last,
};

interface RowKeys {
  readonly body: RefObject<HTMLTableSectionElement | null>;
  readonly count: number;
  readonly scrollTo: (index: number) => void;
}

const rowOf = (target: EventTarget) =>
  target instanceof Element ? target.closest<HTMLElement>("tr[data-index]") : null;

/** Roving tabindex: one row is in the tab order, the arrow keys move between rows, and Enter opens. */
export function useRowKeys({ body, count, scrollTo }: RowKeys) {
  const [current, setCurrent] = useState(0);
  const target = useRef<number>(undefined);

  // A virtual row exists only some renders after it was scrolled to.
  useLayoutEffect(() => {
    if (target.current === undefined) return;
    const row = body.current?.querySelector<HTMLElement>(`tr[data-index="${target.current}"]`);
    if (!row) return;
    target.current = undefined;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  });

  function onKeyDown(event: KeyboardEvent): void {
    const row = rowOf(event.target);
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest("input, select, textarea")) return;
    if (event.key === "Enter" && event.target === row) {
      row.querySelector<HTMLElement>("a[href], button")?.click();
      return;
    }
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const last = count - 1;
    const next = Math.min(Math.max(step(Number(row.dataset.index), last), 0), last);
    target.current = next;
    setCurrent(next);
    scrollTo(next);
  }

  return {
    current: Math.min(current, Math.max(count - 1, 0)),
    handlers: {
      onKeyDown,
      onFocus: (event: { readonly target: EventTarget }) => {
        const row = rowOf(event.target);
        if (row) setCurrent(Number(row.dataset.index));
      },
    },
  };
}
