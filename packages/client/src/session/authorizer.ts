import type { Coordinator } from "./coordinator";
import type { RefusedRequest } from "./failure";
import { decideRetry } from "./refresh-state";
import { abortable } from "./timing";
import { decode, isExpired } from "./token";

/** One attempt to send a request, with the data needed to handle a 401 or 403. */
export interface Attempt {
  readonly request: RefusedRequest;
  /** Sequence number among requests and log-outs. One log-out applies to all requests before it. */
  readonly issued: number;
  readonly sentToken?: string | undefined;
  readonly retried?: boolean;
}

/** Whether to replay the request, or to reject it with this cause. */
export type RetryDecision = { readonly replay: true } | { readonly replay: false; cause?: Error };

type Abort = AbortSignal | null | undefined;

/** A response with 401 or 403, and the relevant properties of its request. */
export interface Answer {
  readonly status: number;
  readonly date: string | null | undefined;
  readonly stream: boolean;
  readonly signal: Abort;
}

/** A stream cannot be sent twice, so the token must be valid for this long when the stream is sent. */
const STREAM_MARGIN_MS = 30_000;

export type Authorizer = ReturnType<typeof createAuthorizer>;

/** Creates the authorizer, which adds the token to requests and handles 401 and 403. */
export function createAuthorizer(coordinator: Coordinator) {
  const { store, refresher, time } = coordinator;
  return {
    createAttempt: (request: RefusedRequest): Attempt => ({ request, issued: coordinator.next() }),

    /** Waits for the refresh in flight and returns the attempt with the current token. */
    async authorize(attempt: Attempt, stream: boolean, signal: Abort): Promise<Attempt> {
      let result = refresher.current();
      const token = store.current()?.access;
      if (!result && stream && token && coordinator.refreshable()) {
        const soonMs = time.now() + STREAM_MARGIN_MS;
        if (isExpired(decode(token) ?? {}, soonMs)) result = refresher.join(attempt);
      }
      const failure = await abortable(signal, result);
      if (failure) throw failure;
      return { ...attempt, sentToken: store.current()?.access };
    },

    /** Handles a 401 or 403: refreshes the token, replays the request, rejects it or ends the session. */
    async handleRejection(attempt: Attempt, answer: Answer): Promise<RetryDecision> {
      const { status, date, stream, signal } = answer;
      const { sentToken, retried = false, request, issued } = attempt;
      const trigger = { status, request };
      time.observe(date);
      const decide = () =>
        decideRetry({
          status,
          sentToken,
          retried,
          current: store.current()?.access,
          refreshable: coordinator.refreshable(),
          nowMs: time.now(),
          isTimeKnown: time.known(),
        });
      let decision = decide();
      if (decision === "refresh") {
        const failure = await abortable(signal, refresher.join(trigger));
        if (failure) return { replay: false, cause: failure };
        decision = decide() === "replay" ? "replay" : "reject";
      }
      if (decision === "replay") {
        return stream
          ? {
              replay: false,
              cause: Error(
                "The request was not replayed because its body is a stream, which cannot be sent twice",
              ),
            }
          : { replay: true };
      }
      if (decision === "reject") return { replay: false };
      return { replay: false, cause: coordinator.fail(decision, trigger, issued) };
    },
  };
}
