import type { Attempt, Authorizer } from "./authorizer";
import { isStream, type Resolve } from "./fetch";

/**
 * What is used of an axios instance (1.x), so that axios is no dependency. An interceptor takes
 * `unknown` and gives `never`: then the types of a configuration of every version fit.
 */
export interface AxiosLike {
  interceptors: { request: Interceptors; response: Interceptors };
  request(config: never): Promise<unknown>;
}

type Interceptor = (value: unknown) => never;

interface Interceptors {
  use(onFulfilled?: Interceptor | null, onRejected?: ((error: unknown) => unknown) | null): number;
  eject(id: number): void;
}

interface Config {
  url?: string;
  baseURL?: string;
  method?: string;
  data?: unknown;
  signal?: AbortSignal;
  headers: { set(name: string, value: string): unknown };
  /** Ours. Enumerable, and no symbol or map: axios copies the configuration on a replay. */
  musette?: Attempt;
}

interface Refused {
  config?: Config;
  response?: { status: number; headers: { date?: string } };
  cause?: unknown;
}

function addressOf({ baseURL = "", url = "" }: Config): string {
  if (!baseURL || /^([a-z][a-z\d+.-]*:)?\/\//i.test(url)) return url;
  return url ? `${baseURL.replace(/\/+$/, "")}/${url.replace(/^\/+/, "")}` : baseURL;
}

/** Lets an axios instance use the session. Returns how to stop. */
export function attach(instance: AxiosLike, authorizer: Authorizer, resolve: Resolve): () => void {
  const { request, response } = instance.interceptors;

  async function enter(config: Config): Promise<Config> {
    const url = resolve(addressOf(config));
    if (!url) return config;
    const method = (config.method ?? "GET").toUpperCase();
    const attempt = await authorizer.enter(
      config.musette ?? authorizer.admit({ method, url }),
      isStream(config.data),
      config.signal,
    );
    if (attempt.sent) config.headers.set("Authorization", `Bearer ${attempt.sent}`);
    config.musette = attempt;
    return config;
  }
  const before = request.use(enter as Interceptor);

  const after = response.use(null, async (thrown) => {
    const error = thrown as Refused;
    const { config, response: answer } = error;
    const attempt = config?.musette;
    if (!config || !attempt) throw error;
    // Another interceptor may send this very configuration again, much later: a new request.
    delete config.musette;
    if (answer?.status !== 401 && answer?.status !== 403) throw error;
    const decision = await authorizer.refused(attempt, {
      status: answer.status,
      date: answer.headers.date,
      stream: isStream(config.data),
      signal: config.signal,
    });
    if (decision.replay) {
      const again: Config = { ...config, musette: { ...attempt, retried: true } };
      return instance.request(again as never);
    }
    error.cause ??= decision.cause;
    throw error;
  });

  return () => {
    request.eject(before);
    response.eject(after);
  };
}
