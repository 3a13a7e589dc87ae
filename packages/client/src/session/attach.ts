import { isStream, type Resolve } from "./fetch";
import type { Keeper, Ticket } from "./keeper";

/** What is used of an axios instance (1.x), so that axios is no dependency. */
export interface AxiosLike<Config> {
  interceptors: {
    request: Interceptors<(config: Config) => Config | Promise<Config>, unknown>;
    response: Interceptors<unknown, (error: unknown) => unknown>;
  };
  request(config: Config): Promise<unknown>;
}

interface Interceptors<Fulfilled, Rejected> {
  use(onFulfilled?: Fulfilled | null, onRejected?: Rejected | null): number;
  eject(id: number): void;
}

export interface AxiosConfig {
  url?: string;
  baseURL?: string;
  method?: string;
  data?: unknown;
  signal?: unknown;
  headers: { set(name: string, value: string): unknown };
}

interface Refused<Config> {
  config?: Config & { musette?: Ticket };
  response?: { status: number; headers: { date?: string } };
  cause?: unknown;
}

function addressOf({ baseURL = "", url = "" }: AxiosConfig): string {
  if (!baseURL || /^([a-z][a-z\d+.-]*:)?\/\//i.test(url)) return url;
  return url ? `${baseURL.replace(/\/+$/, "")}/${url.replace(/^\/+/, "")}` : baseURL;
}

/** Lets an axios instance use the session. Returns how to stop. */
export function attach<Config extends AxiosConfig>(
  instance: AxiosLike<Config>,
  keeper: Keeper,
  resolve: Resolve,
): () => void {
  const { request, response } = instance.interceptors;

  const before = request.use(async (config: Config & { musette?: Ticket }) => {
    const url = resolve(addressOf(config));
    if (!url) return config;
    const method = (config.method ?? "GET").toUpperCase();
    const ticket = await keeper.enter(
      config.musette ?? keeper.admit({ method, url }),
      isStream(config.data),
      config.signal as AbortSignal | undefined,
    );
    if (ticket.sent) config.headers.set("Authorization", `Bearer ${ticket.sent}`);
    // An enumerable property, and no symbol or map: axios copies the configuration on a replay.
    config.musette = ticket;
    return config;
  });

  const after = response.use(null, async (thrown) => {
    const error = thrown as Refused<Config>;
    const { config, response: answer } = error;
    const ticket = config?.musette;
    if (!config || !ticket) throw error;
    // Another interceptor may send this very configuration again, much later: a new request.
    delete config.musette;
    if (answer?.status !== 401 && answer?.status !== 403) throw error;
    const verdict = await keeper.refused(ticket, {
      status: answer.status,
      date: answer.headers.date,
      stream: isStream(config.data),
      signal: config.signal as AbortSignal | undefined,
    });
    if (verdict.replay)
      return instance.request({ ...config, musette: { ...ticket, retried: true } });
    error.cause ??= verdict.cause;
    throw error;
  });

  return () => {
    request.eject(before);
    response.eject(after);
  };
}
