import {
  ErrorCode,
  type EvaluationContext,
  type FlagMetadata,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  ProviderFatalError,
  type ResolutionDetails,
} from "@openfeature/web-sdk";
import type { FlagClient, FlagKind, FlagResult, FlagUser, FlagValue, Peeked } from "../flags";

const REASONS: Readonly<Record<FlagKind, string>> = {
  OFF: "DISABLED",
  OVERRIDE: "TARGETING_MATCH",
  TARGET: "TARGETING_MATCH",
  RULE: "TARGETING_MATCH",
  ROLLOUT: "SPLIT",
  AB_TEST: "SPLIT",
  HOLDOUT: "SPLIT",
  PREREQUISITE_FAILED: "DEFAULT",
  DEFAULT: "DEFAULT",
  ERROR: "ERROR",
  FALLBACK: "ERROR",
};

const isError = (code: string | undefined): code is ErrorCode =>
  Object.values<string | undefined>(ErrorCode).includes(code);

/** Converts an evaluation context to a user. The targeting key becomes `key`, and dates become JSON strings. */
function userOf({ targetingKey, ...rest }: EvaluationContext): FlagUser {
  const attributes: Record<string, FlagValue> = JSON.parse(JSON.stringify(rest));
  return { ...attributes, ...(targetingKey && { key: targetingKey }) };
}

function metadataOf({ explanation, version, experiment }: FlagResult<unknown>): FlagMetadata {
  return {
    kind: explanation.kind,
    from: explanation.from,
    ...(version !== undefined && { version }),
    ...(experiment && { experiment: experiment.key, phase: experiment.phase }),
  };
}

function resolve<T extends FlagValue>(
  peeked: Peeked | undefined,
  fallback: T,
  isExpectedType: (value: unknown) => boolean,
): ResolutionDetails<T> {
  if (!peeked) return { value: fallback, reason: "ERROR", errorCode: ErrorCode.FLAG_NOT_FOUND };
  const { result, status } = peeked;
  const { kind, from } = result.explanation;
  const flagMetadata = metadataOf(result);
  const code = from.replace("error:", "");
  if (kind === "ERROR" || kind === "FALLBACK") {
    const errorCode = isError(code) ? code : ErrorCode.GENERAL;
    return { value: fallback, reason: "ERROR", errorCode, errorMessage: from, flagMetadata };
  }
  // As OFREP specifies, a flag that is off returns the fallback of the code.
  if (kind === "OFF" || result.variation === null) {
    return { value: fallback, reason: REASONS[kind], flagMetadata };
  }
  if (!isExpectedType(result.variation)) {
    const errorCode = ErrorCode.TYPE_MISMATCH;
    return { value: fallback, reason: "ERROR", errorCode, flagMetadata };
  }
  return {
    value: result.variation as T,
    reason: status === "cached" ? "CACHED" : REASONS[kind],
    ...(result.variationKey && { variant: result.variationKey }),
    flagMetadata,
  };
}

/**
 * A provider for OpenFeature's web SDK. It uses a flag client with its cache, stream and reports.
 *
 * `initialize` and `onContextChange` reject if no result is cached and the service does not respond.
 * They reject with `ProviderFatalError` if it responds with 401 or 403.
 *
 * @example
 * const client = createFlagClient({ token: "YOUR_CLIENT_KEY" });
 * await OpenFeature.setProviderAndWait(new MusetteProvider(client));
 */
export class MusetteProvider implements Provider {
  readonly metadata = { name: "Musette" };
  readonly runsOn = "client";
  readonly events = new OpenFeatureEventEmitter();
  readonly #client: FlagClient;
  #stop = () => {};

  constructor(client: FlagClient) {
    this.#client = client;
  }

  initialize(context: EvaluationContext = {}): Promise<void> {
    return this.#load(context);
  }

  onContextChange(_: EvaluationContext, context: EvaluationContext): Promise<void> {
    return this.#load(context);
  }

  async onClose(): Promise<void> {
    this.#stop();
    this.#client.close();
  }

  async #load(context: EvaluationContext): Promise<void> {
    this.#stop();
    await this.#client.setUser(userOf(context));
    const keys = await this.#client.getFlagKeys();
    const lastPeeked = new Map<string, Peeked | undefined>();
    const detectChanges = () => {
      const flagsChanged = keys.filter(
        (key) => this.#client.peek(key)?.result !== lastPeeked.get(key)?.result,
      );
      for (const key of flagsChanged) lastPeeked.set(key, this.#client.peek(key));
      return flagsChanged;
    };
    let isReady = false;
    this.#stop = this.#client.subscribe(keys, () => {
      const flagsChanged = isReady ? detectChanges() : [];
      if (flagsChanged.length)
        this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged });
    });
    await this.#client.ready(keys);
    detectChanges();
    isReady = true;
    const explanations = keys.map((key) => this.#client.peek(key)?.result.explanation);
    const hasNone = explanations.every(
      (explanation) => !explanation || explanation.kind === "FALLBACK",
    );
    if (!hasNone) return;
    // No result is cached, and the service did not respond.
    const reason = explanations[0]?.from ?? "client:network";
    if (/http_40[13]/.test(reason)) throw new ProviderFatalError(reason);
    throw new Error(reason);
  }

  #evaluate(key: string): Peeked | undefined {
    // An evaluation counts as an exposure.
    this.#client.reportExposure(key);
    return this.#client.peek(key);
  }

  resolveBooleanEvaluation(key: string, fallback: boolean): ResolutionDetails<boolean> {
    return resolve(this.#evaluate(key), fallback, (value) => typeof value === "boolean");
  }

  resolveStringEvaluation(key: string, fallback: string): ResolutionDetails<string> {
    return resolve(this.#evaluate(key), fallback, (value) => typeof value === "string");
  }

  resolveNumberEvaluation(key: string, fallback: number): ResolutionDetails<number> {
    return resolve(this.#evaluate(key), fallback, (value) => typeof value === "number");
  }

  resolveObjectEvaluation<T extends JsonValue>(key: string, fallback: T): ResolutionDetails<T> {
    const details = resolve(
      this.#evaluate(key),
      fallback as FlagValue,
      (value) => typeof value === "object",
    );
    return details as ResolutionDetails<T>;
  }
}
