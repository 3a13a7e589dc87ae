import type { Behind } from "./behind";
import type { Managers } from "./managers";
import type { Request } from "./transport";

const ANSWER_MS = 10_000;
const BACKOFF_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;
/** A stream that lived this long was no failure of the service. */
const HEALTHY_MS = 30_000;

interface StreamContext {
  readonly managers: Pick<Managers, "ticks" | "after">;
  readonly request: Request;
  readonly base: string;
}

interface Hearer {
  readonly lockName: string;
  /** Whether anybody looks, and has flags that may change. */
  wanted(): boolean;
  /** The version is not known to every service. */
  changed(version: number | undefined): void;
  /** What happened before is not known. */
  connected(again: boolean): void;
}

/**
 * One stream of changes for all tabs: a browser has six connections to a host, and a seventh tab
 * would load for ever. The tab that holds the lock has it, while somebody looks at that tab.
 */
export function createStream(
  { managers, request, base }: StreamContext,
  behind: Pick<Behind, "lock" | "random" | "stream">,
  hearer: Hearer,
) {
  const { lockName, wanted, changed, connected } = hearer;
  let turn: AbortController | undefined;
  let failures = 0;
  let connections = 0;
  let refused = false;
  /** Ends what this tab waits for in its turn: the connection, or a pause. */
  let leave = () => {};
  let endPause = () => {};

  function hear(data: string) {
    let message: { type?: unknown; version?: unknown } | undefined;
    try {
      message = JSON.parse(data);
    } catch {
      // Of another kind than any that we know.
    }
    if (message?.type !== "refetchEvaluation") return;
    failures = 0;
    changed(typeof message.version === "number" ? message.version : undefined);
  }

  /** Resolves when the connection is gone. */
  async function connection(signal: AbortSignal): Promise<void> {
    const { body, failure } = await request({
      method: "POST",
      path: "v3/stream-tickets",
      limitMs: ANSWER_MS,
    });
    if (signal.aborted) return;
    const ticket = (body as { ticket?: string } | undefined)?.ticket;
    if (!ticket) {
      // A key without this right, or a service without streams: asking again changes nothing.
      refused = !failure || /_4(?!08|29)/.test(failure);
      return;
    }
    const address = `${base}/v3/stream?ticket=${encodeURIComponent(ticket)}`;
    const sinceMs = managers.ticks();
    connected(connections > 0);
    connections += 1;
    await new Promise<void>((resolve) => {
      const close = behind.stream(address, hear, resolve);
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
        const stop = managers.after(delayMs * (0.5 + behind.random() / 2), endPause);
      });
    }
  }

  return {
    /** To be called when anything changed that `wanted` depends on. */
    sync() {
      if (wanted() === !!turn) return;
      if (turn) {
        turn.abort();
        turn = undefined;
        return leave();
      }
      const own = new AbortController();
      turn = own;
      behind
        .lock(lockName, own.signal, () => hold(own.signal))
        .catch(() => {
          // No lock to be had, or no EventSource: then by the age of the values alone.
        });
    },
    /** Online again: no need to wait any longer. */
    wake: () => endPause(),
  };
}
