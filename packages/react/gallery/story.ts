import type { ReactNode } from "react";

/** The settings of a story. */
export interface Scene {
  /** The tag of one of the twelve languages. */
  readonly locale: string;
}

/** A component in one state, in a separate document. */
export interface Story {
  /** The address, such as `consent/unsent`. */
  readonly name: string;
  readonly title: string;
  /** The height of the page, for components that overlay the page and give it no height. */
  readonly height?: number;
  /** Runs before the first render. Sets the state of the device and its responses. */
  readonly prepare?: (scene: Scene) => Promise<void> | void;
  readonly render: (scene: Scene) => ReactNode;
  /** Runs after the first render. Performs the actions of a user and resolves when the state is reached. */
  readonly play?: () => Promise<void>;
  /** The part that a test compares as a screenshot: a selector, or `none`. Default: the whole story. */
  readonly picture?: string;
  /** Whether a test also compares a screenshot in forced colours, because the story uses colours with meaning. */
  readonly forced?: true;
}

const frame = () => new Promise(requestAnimationFrame);

/** Waits until a condition of the page is true. */
export async function until(isTrue: () => unknown): Promise<void> {
  while (!isTrue()) await frame();
}

/** Waits until the browser has rendered the current state. */
export async function drawn(): Promise<void> {
  for (let frames = 0; frames < 5; frames += 1) await frame();
}

export const find = (selector: string) => document.querySelector<HTMLElement>(selector);

/** Clicks an element as soon as it exists and is enabled. */
export async function press(selector: string): Promise<void> {
  await until(() => find(`${selector}:not(:disabled)`));
  find(selector)?.click();
}

/** Types into an input that React controls. */
export function type(selector: string, text: string): void {
  const field = find(selector);
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
  field?.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Makes timers of this length end at once, so that the gallery does not wait for 15 seconds. */
export function hurry(ms: number): void {
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = ((run: () => void, after?: number, ...rest: unknown[]) =>
    wait(run, after === ms ? 0 : after, ...rest)) as typeof setTimeout;
}

/** Makes the browser report that it is offline. */
export function goOffline(): void {
  Object.defineProperty(navigator, "onLine", { configurable: true, get: () => false });
}

export const never = <T>() => new Promise<T>(() => {});

/** Returns an error like those of `@musette/client`. */
export const problem = (status: number, code?: string, headers: Record<string, string> = {}) =>
  Object.assign(new Error(`${status}`), {
    status,
    ...(code && { problem: { code } }),
    response: { status, headers: new Headers(headers) },
  });
