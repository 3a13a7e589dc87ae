import type { ReactNode } from "react";

/** How a story is shown. */
export interface Scene {
  /** The tag of one of the twelve languages. */
  readonly locale: string;
}

/** One component in one state, in a document of its own. */
export interface Story {
  /** Its address: `consent/unsent`. */
  readonly name: string;
  readonly title: string;
  /** For what lies over the page, and so gives the page no height. */
  readonly height?: number;
  /** Before it is drawn: what the device keeps and answers. */
  readonly prepare?: (scene: Scene) => Promise<void> | void;
  readonly render: (scene: Scene) => ReactNode;
  /** After it is drawn: what a person does to get there. Ends when the state is there. */
  readonly play?: () => Promise<void>;
  /** The part of which a test compares a picture: a selector, or `none`. Default: all of it. */
  readonly picture?: string;
  /** A picture is compared in forced colours, too: something of it is told by colour. */
  readonly forced?: true;
}

const frame = () => new Promise(requestAnimationFrame);

/** Waits for a state of the page, which the story must come to. */
export async function until(isThere: () => unknown): Promise<void> {
  while (!isThere()) await frame();
}

/** Waits until what is known by now is on the screen. */
export async function drawn(): Promise<void> {
  for (let frames = 0; frames < 5; frames += 1) await frame();
}

export const find = (selector: string) => document.querySelector<HTMLElement>(selector);

/** Clicks what the selector names, once it is there and can be clicked. */
export async function press(selector: string): Promise<void> {
  await until(() => find(`${selector}:not(:disabled)`));
  find(selector)?.click();
}

/** Types into a field of React's. */
export function type(selector: string, words: string): void {
  const field = find(selector);
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, words);
  field?.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Makes timers of this length end at once: nobody looks at a gallery for 15 seconds. */
export function hurry(ms: number): void {
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = ((run: () => void, after?: number, ...rest: unknown[]) =>
    wait(run, after === ms ? 0 : after, ...rest)) as typeof setTimeout;
}

/** The browser says that there is no network. */
export function goOffline(): void {
  Object.defineProperty(navigator, "onLine", { configurable: true, get: () => false });
}

export const never = <T>() => new Promise<T>(() => {});

/** An error as `@musette/client` throws it. */
export const problem = (status: number, code?: string, headers: Record<string, string> = {}) =>
  Object.assign(new Error(`${status}`), {
    status,
    ...(code && { problem: { code } }),
    response: { status, headers: new Headers(headers) },
  });
