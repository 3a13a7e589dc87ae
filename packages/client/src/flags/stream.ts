import type { Schema } from "../api";
import type { BrowserEnvironment } from "./browser-environment";
import type { Managers } from "./managers";
import type { Request } from "./transport";

const ANSWER_MS = 10_000;
const BACKOFF_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;
/** The end of a stream that was open this long does not count as a failure. */
const HEALTHY_MS = 30_000;

interface StreamContext {
  readonly managers: Pick<Managers, "ticks" | "after">;
  readonly request: Request;
  readonly base: string;
}

interface StreamListener {
  readonly lockName: string;
  /** Whether the page is visible and subscribed to flags. */
  isNeeded(): boolean;
  /** Called when the configuration has changed. Some nodes of the service may not have this version yet. */
  changed(version: number | undefined): void;
  /** Called just before a stream opens. The client may have missed changes before this moment. */
  connected(isReconnect: boolean): void;
}

/**
 * Creates one Server-Sent Events stream for all tabs by leader election: the visible tab that holds the Web
 * Lock has the connection. A browser opens at most six HTTP/1.1 connections to a host. If every tab had its
 * own stream, a seventh tab would never load.
 */
export function createStream(
  { managers, request, base }: StreamContext,
  environment: Pick<BrowserEnvironment, "lock" | "random" | "stream">,
  listener: StreamListener,
) {
  const { lockName, isNeeded, changed, connected } = listener;
  let leadership: AbortController | undefined;
  let failures = 0;
  let connections = 0;
  let isRejected = false;
  /** Ends the leader's current wait: the connection or the backoff. */
  let endWait = () => {};
  let endBackoff = () => {};

  function onMessage(data: string) {
    let message: { type?: unknown; version?: unknown } | undefined;
    try {
      message = JSON.parse(data);
    } catch {
      // The event is not JSON.
    }
    if (message?.type !== "refetchEvaluation") return;
    failures = 0;
    changed(typeof message.version === "number" ? message.version : undefined);
  }

  /** Resolves when the connection has closed. */
  async function connection(signal: AbortSignal): Promise<void> {
    const { body, failure } = await request({
      method: "POST",
      path: "v3/stream-tickets",
      limitMs: ANSWER_MS,
    });
    if (signal.aborted) return;
    const ticket = (body as Partial<Schema<"TicketBody">> | undefined)?.ticket;
    if (!ticket) {
      // The key lacks the permission, or the service has no streams. A retry would get the same response.
      isRejected = !failure || /_4(?!08|29)/.test(failure);
      return;
    }
    const address = `${base}/v3/stream?ticket=${encodeURIComponent(ticket)}`;
    const sinceMs = managers.ticks();
    connected(connections > 0);
    connections += 1;
    await new Promise<void>((resolve) => {
      const close = environment.stream(address, onMessage, resolve);
      endWait = () => {
        close();
        resolve();
      };
    });
    if (managers.ticks() - sinceMs > HEALTHY_MS) failures = 0;
  }

  async function keepConnected(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !isRejected) {
      await connection(signal);
      if (signal.aborted || isRejected) return;
      const delayMs = Math.min(BACKOFF_MS * 2 ** failures, BACKOFF_MAX_MS);
      failures += 1;
      await new Promise<void>((resolve) => {
        endBackoff = () => {
          stop();
          resolve();
        };
        endWait = endBackoff;
        const stop = managers.after(delayMs * (0.5 + environment.random() / 2), endBackoff);
      });
    }
  }

  return {
    /** Starts or stops the stream. Must be called when the result of `isNeeded` may have changed. */
    sync() {
      if (isNeeded() === !!leadership) return;
      if (leadership) {
        leadership.abort();
        leadership = undefined;
        return endWait();
      }
      const own = new AbortController();
      leadership = own;
      environment
        .lock(lockName, own.signal, () => keepConnected(own.signal))
        .catch(() => {
          // The browser lacks Web Locks or EventSource, so the client refreshes by age only.
        });
    },
    /** Ends the backoff, because the page is online again. */
    wake: () => endBackoff(),
  };
}
