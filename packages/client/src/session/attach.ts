import type { Attempt, Authorizer } from "./authorizer";
import { isStream, type Resolve } from "./fetch";

/**
 * The used part of an axios instance (1.x), so that axios is not a dependency. Interceptors take
 * `unknown` and return `never`, so that the configuration types of every axios version are assignable.
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
  /** Set by this package. An ordinary enumerable property, because axios copies the configuration on a replay. */
  musette?: Attempt;
  /** The data before `transformRequest`, which runs again on a replay. Set by this package. */
  musetteData?: unknown;
}

interface AxiosErrorLike {
  config?: Config;
  response?: { status: number; headers: { date?: string } };
  cause?: unknown;
}

function addressOf({ baseURL = "", url = "" }: Config): string {
  if (!baseURL || /^([a-z][a-z\d+.-]*:)?\/\//i.test(url)) return url;
  return url ? `${baseURL.replace(/\/+$/, "")}/${url.replace(/^\/+/, "")}` : baseURL;
}

/** Makes an axios instance use the session. Returns a function that detaches it. */
export function attach(instance: AxiosLike, authorizer: Authorizer, resolve: Resolve): () => void {
  const { request, response } = instance.interceptors;

  async function authorize(config: Config): Promise<Config> {
    const url = resolve(addressOf(config));
    if (!url) return config;
    const method = (config.method ?? "GET").toUpperCase();
    const attempt = await authorizer.authorize(
      config.musette ?? authorizer.createAttempt({ method, url }),
      isStream(config.data),
      config.signal,
    );
    if (attempt.sentToken) config.headers.set("Authorization", `Bearer ${attempt.sentToken}`);
    config.musette = attempt;
    config.musetteData = config.data;
    return config;
  }
  const requestInterceptor = request.use(authorize as Interceptor);

  const responseInterceptor = response.use(null, async (thrown) => {
    const error = thrown as AxiosErrorLike;
    const { config, response: answer } = error;
    const attempt = config?.musette;
    if (!config || !attempt) throw error;
    const data = config.musetteData;
    // If another interceptor sends this configuration again later, that is a new request.
    delete config.musette;
    delete config.musetteData;
    if (answer?.status !== 401 && answer?.status !== 403) throw error;
    const decision = await authorizer.handleRejection(attempt, {
      status: answer.status,
      date: answer.headers.date,
      stream: isStream(config.data),
      signal: config.signal,
    });
    if (decision.replay) {
      const replay: Config = { ...config, data, musette: { ...attempt, retried: true } };
      return instance.request(replay as never);
    }
    error.cause ??= decision.cause;
    throw error;
  });

  return () => {
    request.eject(requestInterceptor);
    response.eject(responseInterceptor);
  };
}
