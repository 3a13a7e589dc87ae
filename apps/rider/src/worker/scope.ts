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

export interface PushMessageEvent extends ExtendableEvent {
  readonly data: { text(): string } | null;
}

export interface NotificationClickEvent extends ExtendableEvent {
  readonly notification: { readonly data: unknown; close(): void };
}

interface Events {
  install: ExtendableEvent;
  activate: ExtendableEvent;
  fetch: FetchEvent;
  sync: SyncEvent;
  message: MessageEventOfPage;
  push: PushMessageEvent;
  notificationclick: NotificationClickEvent;
}

interface Client {
  readonly url: string;
  postMessage(message: string): void;
}

/** A tab of the app. */
interface WindowClient extends Client {
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}

interface Clients {
  claim(): Promise<void>;
  matchAll(): Promise<readonly Client[]>;
  matchAll(options: { readonly type: "window" }): Promise<readonly WindowClient[]>;
  openWindow(url: string): Promise<unknown>;
}

export interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly clients: Clients;
  readonly registration: {
    readonly pushManager: { getSubscription(): Promise<PushSubscription | null> };
    showNotification(title: string, options: NotificationOptions): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<K extends keyof Events>(type: K, listen: (event: Events[K]) => void): void;
}

export const scope = globalThis as unknown as WorkerScope;
