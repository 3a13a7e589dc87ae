// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { mount, passTime, settle } from "../testing/mount";
import { Answers } from "./answers";
import { AnswersContext, useRead } from "./use-read";

interface ShownProps {
  readonly name: string;
  readonly fetch: () => Promise<string>;
  readonly initial?: string;
  readonly onSlow?: () => void;
}

function Shown({ name, ...options }: ShownProps) {
  const { data, error, isFetching } = useRead([name], options);
  return (
    <p>
      {data ?? "nothing"}, {String(error ?? "fine")}, {isFetching ? "asking" : "still"}
    </p>
  );
}

const answers = { of: new Answers() };

async function stage(...screens: readonly ShownProps[]) {
  const all = (list: readonly ShownProps[]) => (
    <AnswersContext.Provider value={answers.of}>
      {list.map((props, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they stay in their places
        <Shown key={index} {...props} />
      ))}
    </AnswersContext.Provider>
  );
  const { page, show } = await mount(all(screens));
  await settle();
  return {
    says: () => [...page.querySelectorAll("p")].map((it) => it.textContent),
    show: async (...next: readonly ShownProps[]) => {
      await show(all(next));
      await settle();
    },
  };
}

/** As when somebody comes back to the page. */
const focus = () => act(async () => void dispatchEvent(new Event("focus")));
const online = () => act(async () => void dispatchEvent(new Event("online")));

function connection(value: unknown): void {
  Object.defineProperty(navigator, "connection", { value, configurable: true });
}

beforeEach(() => {
  answers.of = new Answers();
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  connection(undefined);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("one question serves all that ask it within 2 s of its answer", async () => {
  const fetch = vi.fn(async () => "a");
  const { says, show } = await stage({ name: "q", fetch }, { name: "q", fetch });
  expect(says()).toEqual(["a, fine, still", "a, fine, still"]);
  await passTime(1_900);
  await show({ name: "q", fetch }, { name: "q", fetch }, { name: "q", fetch });
  expect(fetch).toHaveBeenCalledTimes(1);
  await passTime(200);
  fetch.mockResolvedValue("b");
  const one = { name: "q", fetch };
  await show(one, one, one, one);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(new Set(says())).toEqual(new Set(["b, fine, still"]));
});

it("coming to the front asks anew, once in 5 s; finding a network asks at once", async () => {
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

it("a hidden page asks nothing", async () => {
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
])("on %s it tries again after twice the interval, and twice that", async (_, kind, ms) => {
  connection(kind);
  const fetch = vi.fn(async (): Promise<string> => Promise.reject(new Error("503")));
  const { says } = await stage({ name: "q", fetch });
  expect(says()).toEqual(["nothing, Error: 503, still"]);
  await passTime(2 * ms - 100);
  expect(fetch).toHaveBeenCalledTimes(1);
  await passTime(200);
  expect(fetch).toHaveBeenCalledTimes(2);
  await passTime(4 * ms - 300);
  expect(fetch).toHaveBeenCalledTimes(2);
  fetch.mockResolvedValue("a");
  await passTime(200);
  expect(says()).toEqual(["a, fine, still"]);
  await passTime(20 * ms);
  expect(fetch).toHaveBeenCalledTimes(3);
});

it.each([
  ["a good connection", undefined, 3_000],
  ["a slow one", { effectiveType: "slow-2g" }, 5_000],
])("on %s it says that it is slow, unless there is something to show", async (_, kind, ms) => {
  connection(kind);
  const never = () => new Promise<string>(() => {});
  const onSlow = vi.fn();
  const shown = vi.fn();
  await stage(
    { name: "q", fetch: never, onSlow },
    { name: "p", fetch: never, onSlow: shown, initial: "old" },
  );
  await passTime(ms - 100);
  expect(onSlow).not.toHaveBeenCalled();
  await passTime(200);
  expect(onSlow).toHaveBeenCalledTimes(1);
  expect(shown).not.toHaveBeenCalled();
});

it("what came with the page is there at the first drawing, and gives way to the answer", async () => {
  let deliver = (_: string) => {};
  const answer = new Promise<string>((resolve) => {
    deliver = resolve;
  });
  const fetch = () => answer;
  const { says } = await stage({ name: "q", fetch, initial: "old" });
  expect(says()).toEqual(["old, fine, asking"]);
  await act(async () => deliver("new"));
  expect(says()).toEqual(["new, fine, still"]);
});

it("a failure keeps the answer of before, and another question has its own", async () => {
  const fetch = vi.fn(async () => "a");
  const { says, show } = await stage({ name: "q", fetch });
  await passTime(6_000);
  fetch.mockRejectedValue(new Error("503"));
  await focus();
  expect(says()).toEqual(["a, Error: 503, still"]);
  await show({ name: "other", fetch: async () => "b" });
  expect(says()).toEqual(["b, fine, still"]);
});

it("an answer to a question that was asked anew meanwhile comes too late", async () => {
  const delivers: ((value: string) => void)[] = [];
  const fetch = () => new Promise<string>((resolve) => void delivers.push(resolve));
  const { says } = await stage({ name: "q", fetch });
  await act(async () => void answers.of.refetchAll('["q"'));
  await act(async () => delivers[1]?.("second"));
  await act(async () => delivers[0]?.("first"));
  expect(says()).toEqual(["second, fine, still"]);
  await passTime(3_000);
  await focus();
  await act(async () => answers.of.learn('["q"]', "learned"));
  await act(async () => delivers[2]?.("third"));
  expect(says()).toEqual(["learned, fine, still"]);
});

it("who has left is not asked for", async () => {
  const fetch = vi.fn(async (): Promise<string> => Promise.reject(new Error("503")));
  const { show } = await stage({ name: "q", fetch });
  await show();
  await passTime(60_000);
  await focus();
  await online();
  expect(fetch).toHaveBeenCalledTimes(1);
});
