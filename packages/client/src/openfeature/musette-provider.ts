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

/** The targeting key of OpenFeature is our `key`. Dates become JSON strings. */
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
  found: Peeked | undefined,
  fallback: T,
  fits: (value: unknown) => boolean,
): ResolutionDetails<T> {
  if (!found) return { value: fallback, reason: "ERROR", errorCode: ErrorCode.FLAG_NOT_FOUND };
  const { result, status } = found;
  const { kind, from } = result.explanation;
  const flagMetadata = metadataOf(result);
  const code = from.replace("error:", "");
  if (kind === "ERROR" || kind === "FALLBACK") {
    const errorCode = isError(code) ? code : ErrorCode.GENERAL;
    return { value: fallback, reason: "ERROR", errorCode, errorMessage: from, flagMetadata };
  }
  // OFREP has it so: a flag that is off leaves the value to the code.
  if (kind === "OFF" || result.variation === null) {
    return { value: fallback, reason: REASONS[kind], flagMetadata };
  }
  if (!fits(result.variation)) {
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
 * A provider for OpenFeature's web SDK, over a flag client with its cache, stream and reports.
 *
 * `initialize` and a context change reject when nothing is cached and the service does not answer:
 * `ProviderFatalError` for 401 and 403.
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
    const seen = new Map<string, Peeked | undefined>();
    const look = () => {
      const flagsChanged = keys.filter(
        (key) => this.#client.peek(key)?.result !== seen.get(key)?.result,
      );
      for (const key of flagsChanged) seen.set(key, this.#client.peek(key));
      return flagsChanged;
    };
    let isReady = false;
    this.#stop = this.#client.subscribe(keys, () => {
      const flagsChanged = isReady ? look() : [];
      if (flagsChanged.length)
        this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged });
    });
    await this.#client.ready(keys);
    look();
    isReady = true;
    const failures = keys.map((key) => this.#client.peek(key)?.result.explanation);
    const hasNone = failures.every((it) => !it || it.kind === "FALLBACK");
    if (!hasNone) return;
    // Nothing is cached and the service does not answer.
    const why = failures[0]?.from ?? "client:network";
    if (/http_40[13]/.test(why)) throw new ProviderFatalError(why);
    throw new Error(why);
  }

  #find(key: string): Peeked | undefined {
    // An evaluation counts as an exposure.
    this.#client.reportExposure(key);
    return this.#client.peek(key);
  }

  resolveBooleanEvaluation(key: string, fallback: boolean): ResolutionDetails<boolean> {
    return resolve(this.#find(key), fallback, (value) => typeof value === "boolean");
  }

  resolveStringEvaluation(key: string, fallback: string): ResolutionDetails<string> {
    return resolve(this.#find(key), fallback, (value) => typeof value === "string");
  }

  resolveNumberEvaluation(key: string, fallback: number): ResolutionDetails<number> {
    return resolve(this.#find(key), fallback, (value) => typeof value === "number");
  }

  resolveObjectEvaluation<T extends JsonValue>(key: string, fallback: T): ResolutionDetails<T> {
    const found = resolve(
      this.#find(key),
      fallback as FlagValue,
      (value) => typeof value === "object",
    );
    return found as ResolutionDetails<T>;
  }
}
