import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, vi } from "vitest";

// Not with stubGlobal, which is reverted between tests.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const leave of cleanups.splice(0)) await leave();
});

export interface Mounted {
  readonly page: HTMLElement;
  show(next: ReactNode): Promise<void>;
  leave(): Promise<void>;
}

/** Renders into the document. Unmounts at the end of the test. */
export async function mount(node: ReactNode, into: HTMLElement = document.body): Promise<Mounted> {
  const page = into.appendChild(document.createElement("main"));
  const root = createRoot(page);
  const show = (next: ReactNode) => act(async () => root.render(next));
  let isUnmounted = false;
  const leave = async () => {
    if (isUnmounted) return;
    isUnmounted = true;
    await act(async () => root.unmount());
    page.remove();
  };
  cleanups.push(leave);
  await show(node);
  return { page, show, leave };
}

export async function click(element: Element | null | undefined): Promise<void> {
  if (!element) throw new Error("the element to click does not exist");
  await act(async () => (element as HTMLElement).click());
}

/** Runs the callbacks of settled promises. */
export async function settle(): Promise<void> {
  await act(async () => {
    for (let turn = 0; turn < 60; turn++) await Promise.resolve();
  });
}

/** Waits until a condition is true, for example after a dynamic import. */
export async function until(isTrue: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + 2_000;
  while (!isTrue()) {
    if (Date.now() > deadlineMs) throw new Error("the condition did not become true within 2 s");
    // React renders when act ends, so this uses many short calls.
    await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
  }
}

export async function passTime(ms: number): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
}
