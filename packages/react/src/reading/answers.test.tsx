// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { mount, passTime, settle } from "../testing/mount";
import { QueryCache } from "./answers";
import { QueryCacheContext, useRead } from "./use-read";

interface ProbeProps {
  readonly name: string;
  readonly fetch: () => Promise<string>;
  readonly initial?: string;
  readonly onSlow?: () => void;
}

function Probe({ name, ...options }: ProbeProps) {
  const { data, error, isFetching } = useRead([name], options);
  return (
    <p>
      {data ?? "nothing"}, {String(error ?? "fine")}, {isFetching ? "fetching" : "idle"}
    </p>
  );
}

const cache = { of: new QueryCache() };

async function stage(...screens: readonly ProbeProps[]) {
  const all = (list: readonly ProbeProps[]) => (
    <QueryCacheContext.Provider value={cache.of}>
      {list.map((props, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: their order does not change
        <Probe key={index} {...props} />
      ))}
    </QueryCacheContext.Provider>
  );
  const { page, show } = await mount(all(screens));
  await settle();
  return {
    texts: () => [...page.querySelectorAll("p")].map((paragraph) => paragraph.textContent),
    show: async (...next: readonly ProbeProps[]) => {
      await show(all(next));
      await settle();
    },
  };
}

/** Simulates a return of the user to the page. */
const focus = () => act(async () => void dispatchEvent(new Event("focus")));
const online = () => act(async () => void dispatchEvent(new Event("online")));

function connection(value: unknown): void {
  Object.defineProperty(navigator, "connection", { value, configurable: true });
}

beforeEach(() => {
  cache.of = new QueryCache();
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  connection(undefined);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("components share a request until 2 s after its response", async () => {
  const fetch = vi.fn(async () => "a");
  const { texts, show } = await stage({ name: "q", fetch }, { name: "q", fetch });
  expect(texts()).toEqual(["a, fine, idle", "a, fine, idle"]);
  await passTime(1_900);
  await show({ name: "q", fetch }, { name: "q", fetch }, { name: "q", fetch });
  expect(fetch).toHaveBeenCalledTimes(1);
  await passTime(200);
  fetch.mockResolvedValue("b");
  const one = { name: "q", fetch };
  await show(one, one, one, one);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(new Set(texts())).toEqual(new Set(["b, fine, idle"]));
});

it("fetches again on focus, at most once in 5 s, and at once when online again", async () => {
  const fetch = vi.fn(async () => "a");
  await stage({ name: "q", fetch });
  await passTime(4_900);
  await focus();
  expect(fetch).toHaveBeenCalledTimes(1);
  await passTime(200);
  await focus();
  expect(fetch).toHaveBeenCalledTimes(2);
  await passTime(2_100);
  await focus();
  expect(fetch).toHaveBeenCalledTimes(2);
  await online();
  expect(fetch).toHaveBeenCalledTimes(3);
  await passTime(60_000);
  expect(fetch).toHaveBeenCalledTimes(3);
});

it("sends no requests while the page is hidden", async () => {
  const fetch = vi.fn(async () => "a");
  await stage({ name: "q", fetch });
  await passTime(10_000);
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  await focus();
  await online();
  expect(fetch).toHaveBeenCalledTimes(1);
});

it.each([
  ["a good connection", undefined, 5_000],
  ["a slow one", { effectiveType: "2g" }, 10_000],
  ["one that saves data", { saveData: true }, 10_000],
])("on %s retries after twice the interval, and then after twice that", async (_, kind, ms) => {
  connection(kind);
  const fetch = vi.fn(async (): Promise<string> => Promise.reject(new Error("503")));
  const { texts } = await stage({ name: "q", fetch });
  expect(texts()).toEqual(["nothing, Error: 503, idle"]);
  await passTime(2 * ms - 100);
  expect(fetch).toHaveBeenCalledTimes(1);
  await passTime(200);
  expect(fetch).toHaveBeenCalledTimes(2);
  await passTime(4 * ms - 300);
  expect(fetch).toHaveBeenCalledTimes(2);
  fetch.mockResolvedValue("a");
  await passTime(200);
  expect(texts()).toEqual(["a, fine, idle"]);
  await passTime(20 * ms);
  expect(fetch).toHaveBeenCalledTimes(3);
});

it.each([
  ["a good connection", undefined, 3_000],
  ["a slow one", { effectiveType: "slow-2g" }, 5_000],
])("on %s calls onSlow, unless there is data to show", async (_, kind, ms) => {
  connection(kind);
  const never = () => new Promise<string>(() => {});
  const onSlow = vi.fn();
  const onSlowWithData = vi.fn();
  await stage(
    { name: "q", fetch: never, onSlow },
    { name: "p", fetch: never, onSlow: onSlowWithData, initial: "old" },
  );
  await passTime(ms - 100);
  expect(onSlow).not.toHaveBeenCalled();
  await passTime(200);
  expect(onSlow).toHaveBeenCalledTimes(1);
  expect(onSlowWithData).not.toHaveBeenCalled();
});

it("shows initial data at the first render and replaces it with the response", async () => {
  let deliver = (_: string) => {};
  const answer = new Promise<string>((resolve) => {
    deliver = resolve;
  });
  const fetch = () => answer;
  const { texts } = await stage({ name: "q", fetch, initial: "old" });
  expect(texts()).toEqual(["old, fine, fetching"]);
  await act(async () => deliver("new"));
  expect(texts()).toEqual(["new, fine, idle"]);
});

it("keeps the data after a failure, and separate data for another query", async () => {
  const fetch = vi.fn(async () => "a");
  const { texts, show } = await stage({ name: "q", fetch });
  await passTime(6_000);
  fetch.mockRejectedValue(new Error("503"));
  await focus();
  expect(texts()).toEqual(["a, Error: 503, idle"]);
  await show({ name: "other", fetch: async () => "b" });
  expect(texts()).toEqual(["b, fine, idle"]);
});

it("ignores the response to an older request", async () => {
  const delivers: ((value: string) => void)[] = [];
  const fetch = () => new Promise<string>((resolve) => void delivers.push(resolve));
  const { texts } = await stage({ name: "q", fetch });
  await act(async () => void cache.of.refetchAll('["q"'));
  await act(async () => delivers[1]?.("second"));
  await act(async () => delivers[0]?.("first"));
  expect(texts()).toEqual(["second, fine, idle"]);
  await passTime(3_000);
  await focus();
  await act(async () => cache.of.store('["q"]', "learned"));
  await act(async () => delivers[2]?.("third"));
  expect(texts()).toEqual(["learned, fine, idle"]);
});

it("sends no requests after unmount", async () => {
  const fetch = vi.fn(async (): Promise<string> => Promise.reject(new Error("503")));
  const { show } = await stage({ name: "q", fetch });
  await show();
  await passTime(60_000);
  await focus();
  await online();
  expect(fetch).toHaveBeenCalledTimes(1);
});
