import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
} from "react";
import { QueryCache, type QueryState } from "./answers";

/** The cache that all screens of a page share. */
export const pageCache: QueryCache = new QueryCache();

/** The context of the cache. Tests provide a separate cache. */
export const QueryCacheContext = createContext(pageCache);

/** Options of `useRead`. */
export interface ReadOptions<T> {
  readonly fetch: () => Promise<T>;
  /** Data of a server-rendered page. It is shown at once, and fetched again meanwhile. */
  readonly initial?: T | undefined;
  readonly onSlow?: () => void;
  readonly onAnswered?: () => void;
}

/** The return value of `useRead`. */
export interface Read<T> extends QueryState<T> {
  /** Fetches again. Resolves after the response or error. */
  readonly refetch: () => Promise<void>;
  /** Stores data from another source. */
  readonly store: (data: T) => void;
}

const NOTHING: QueryState<never> = { isFetching: false };

// A layout effect, so that requests start before the paint. On a server React would warn about it.
const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

/** Fetches a query and keeps it current. Components with equal keys share a query. A null key fetches nothing. */
export function useRead<T>(key: readonly unknown[] | null, options: ReadOptions<T>): Read<T> {
  const cache = useContext(QueryCacheContext);
  const name = key && JSON.stringify(key);
  const state = name === null ? NOTHING : cache.peek<T>(name);
  const [, changed] = useReducer((times: number) => times + 1, 0);
  const latest = useRef({ ...options, state });
  useBeforePaint(() => {
    latest.current = { ...options, state };
  });
  useBeforePaint(() => {
    if (name === null) return;
    const unsubscribe = cache.subscribe<T>(name, {
      fetch: () => latest.current.fetch(),
      slow: () => latest.current.initial === undefined && latest.current.onSlow?.(),
      answered: () => latest.current.onAnswered?.(),
      changed,
    });
    // The query may have changed between the render and this effect.
    if (cache.peek(name) !== latest.current.state) changed();
    return unsubscribe;
  }, [cache, name]);
  return {
    ...state,
    data: state.data ?? options.initial,
    refetch: useCallback(async () => {
      if (name !== null) await cache.refetch(name);
    }, [cache, name]),
    store: useCallback((data) => name !== null && cache.store(name, data), [cache, name]),
  };
}
