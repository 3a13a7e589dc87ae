import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, vi } from "vitest";

// Not by stubGlobal: that one is undone between tests.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const leaving: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const leave of leaving.splice(0)) await leave();
});

export interface Mounted {
  readonly page: HTMLElement;
  show(next: ReactNode): Promise<void>;
  leave(): Promise<void>;
}

/** Renders into the document; whatever a test leaves mounted goes when the test ends. */
export async function mount(node: ReactNode, into: HTMLElement = document.body): Promise<Mounted> {
  const page = into.appendChild(document.createElement("main"));
  const root = createRoot(page);
  const show = (next: ReactNode) => act(async () => root.render(next));
  let gone = false;
  const leave = async () => {
    if (gone) return;
    gone = true;
    await act(async () => root.unmount());
    page.remove();
  };
  leaving.push(leave);
  await show(node);
  return { page, show, leave };
}

export async function click(element: Element | null | undefined): Promise<void> {
  if (!element) throw new Error("There is nothing to click");
  await act(async () => (element as HTMLElement).click());
}

/** Lets promises that are already settled do their work. */
export async function settle(): Promise<void> {
  await act(async () => {
    for (let turn = 0; turn < 60; turn++) await Promise.resolve();
  });
}

/** For what a module has to be fetched for first. */
export async function until(seen: () => boolean): Promise<void> {
  const patience = Date.now() + 2_000;
  while (!seen()) {
    if (Date.now() > patience) throw new Error("It never came");
    // What happens inside is drawn when act ends: so in many short turns.
    await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
  }
}

export async function passTime(ms: number): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
}
