import type { Coordinator } from "./coordinator";
import type { RefusedRequest } from "./failure";
import { decideRetry } from "./refresh-state";
import { abortable } from "./timing";
import { decode, isExpired } from "./token";

/** One attempt to send a request, so that a 401 or 403 can be judged. */
export interface Attempt {
  readonly request: RefusedRequest;
  /** Sequence number among requests and log-outs: one log-out counts for all requests before it. */
  readonly issued: number;
  readonly sent?: string | undefined;
  readonly retried?: boolean;
}

/** Replay the request, or reject it with this cause. */
export type RetryDecision = { readonly replay: true } | { readonly replay: false; cause?: Error };

type Abort = AbortSignal | null | undefined;

/** A response with 401 or 403, and what matters of its request. */
export interface Answer {
  readonly status: number;
  readonly date: string | null | undefined;
  readonly stream: boolean;
  readonly signal: Abort;
}

/** A stream cannot be sent again, so it is not sent with a token that expires on the way. */
const STREAM_MARGIN_MS = 30_000;

export type Authorizer = ReturnType<typeof createAuthorizer>;

/** Gives requests the token, and decides what follows a 401 or 403. */
export function createAuthorizer(coordinator: Coordinator) {
  const { store, refresher, time } = coordinator;
  return {
    admit: (request: RefusedRequest): Attempt => ({ request, issued: coordinator.next() }),

    /** Waits for the refresh in flight, and returns the attempt with its token. */
    async enter(attempt: Attempt, stream: boolean, signal: Abort): Promise<Attempt> {
      let result = refresher.current();
      const token = store.current()?.access;
      if (!result && stream && token && coordinator.refreshable()) {
        const soonMs = time.now() + STREAM_MARGIN_MS;
        if (isExpired(decode(token) ?? {}, soonMs)) result = refresher.join(attempt);
      }
      const failure = await abortable(signal, result);
      if (failure) throw failure;
      return { ...attempt, sent: store.current()?.access };
    },

    /** Decides what follows a 401 or 403: refresh, replay, reject or log out. */
    async refused(attempt: Attempt, refusal: Answer): Promise<RetryDecision> {
      const { status, date, stream, signal } = refusal;
      const { sent, retried = false, request, issued } = attempt;
      const trigger = { status, request };
      time.observe(date);
      const decide = () =>
        decideRetry({
          status,
          sent,
          retried,
          current: store.current()?.access,
          refreshable: coordinator.refreshable(),
          nowMs: time.now(),
        });
      let decision = decide();
      if (decision === "refresh") {
        const failure = await abortable(signal, refresher.join(trigger));
        if (failure) return { replay: false, cause: failure };
        decision = decide() === "replay" ? "replay" : "reject";
      }
      if (decision === "replay") {
        return stream
          ? { replay: false, cause: Error("The body is a stream, which cannot be sent again") }
          : { replay: true };
      }
      if (decision === "reject") return { replay: false };
      return { replay: false, cause: coordinator.fail(decision, trigger, issued) };
    },
  };
}
