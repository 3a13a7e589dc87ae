import type { Schema } from "../api";
import type { BrowserEnvironment } from "./browser-environment";
import type { Managers } from "./managers";
import type { Request } from "./transport";

const ANSWER_MS = 10_000;
const BACKOFF_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;
/** A stream that was open this long does not count as a failure. */
const HEALTHY_MS = 30_000;

interface StreamContext {
  readonly managers: Pick<Managers, "ticks" | "after">;
  readonly request: Request;
  readonly base: string;
}

interface StreamListener {
  readonly lockName: string;
  /** Whether the page is visible and subscribed to flags. */
  wanted(): boolean;
  /** The configuration changed. Not every node of the service may have this version yet. */
  changed(version: number | undefined): void;
  /** Changes before this moment may have been missed. */
  connected(again: boolean): void;
}

/**
 * One Server-Sent Events stream for all tabs, by leader election: the visible tab that holds the Web Lock
 * has the connection. A browser opens six HTTP/1.1 connections to a host, so a seventh tab with a stream
 * of its own would never load.
 */
export function createStream(
  { managers, request, base }: StreamContext,
  environment: Pick<BrowserEnvironment, "lock" | "random" | "stream">,
  listener: StreamListener,
) {
  const { lockName, wanted, changed, connected } = listener;
  let turn: AbortController | undefined;
  let failures = 0;
  let connections = 0;
  let refused = false;
  /** Ends what the leader waits for: the connection, or the backoff. */
  let leave = () => {};
  let endPause = () => {};

  function onMessage(data: string) {
    let message: { type?: unknown; version?: unknown } | undefined;
    try {
      message = JSON.parse(data);
    } catch {
      // An event of an unknown kind.
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
      // A key without this right, or a service without streams: another try would get the same answer.
      refused = !failure || /_4(?!08|29)/.test(failure);
      return;
    }
    const address = `${base}/v3/stream?ticket=${encodeURIComponent(ticket)}`;
    const sinceMs = managers.ticks();
    connected(connections > 0);
    connections += 1;
    await new Promise<void>((resolve) => {
      const close = environment.stream(address, onMessage, resolve);
      leave = () => {
        close();
        resolve();
      };
    });
    if (managers.ticks() - sinceMs > HEALTHY_MS) failures = 0;
  }

  async function hold(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !refused) {
      await connection(signal);
      if (signal.aborted || refused) return;
      const delayMs = Math.min(BACKOFF_MS * 2 ** failures, BACKOFF_MAX_MS);
      failures += 1;
      await new Promise<void>((resolve) => {
        endPause = () => {
          stop();
          resolve();
        };
        leave = endPause;
        const stop = managers.after(delayMs * (0.5 + environment.random() / 2), endPause);
      });
    }
  }

  return {
    /** Call it when anything changed that `wanted` depends on. */
    sync() {
      if (wanted() === !!turn) return;
      if (turn) {
        turn.abort();
        turn = undefined;
        return leave();
      }
      const own = new AbortController();
      turn = own;
      environment
        .lock(lockName, own.signal, () => hold(own.signal))
        .catch(() => {
          // No Web Lock or no EventSource: the time to live alone decides.
        });
    },
    /** Ends the backoff: the page is online again. */
    wake: () => endPause(),
  };
}
