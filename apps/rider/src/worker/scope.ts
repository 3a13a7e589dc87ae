// The parts of the Service Workers standard that the worker uses. TypeScript's own types for it
// cannot be loaded together with those of a page.

export interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

export interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

export interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

export interface MessageEventOfPage extends ExtendableEvent {
  readonly data: unknown;
}

interface Events {
  install: ExtendableEvent;
  activate: ExtendableEvent;
  fetch: FetchEvent;
  sync: SyncEvent;
  message: MessageEventOfPage;
}

interface Client {
  postMessage(message: string): void;
}

export interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly clients: { claim(): Promise<void>; matchAll(): Promise<readonly Client[]> };
  skipWaiting(): Promise<void>;
  addEventListener<K extends keyof Events>(type: K, listen: (event: Events[K]) => void): void;
}

export const scope = globalThis as unknown as WorkerScope;
