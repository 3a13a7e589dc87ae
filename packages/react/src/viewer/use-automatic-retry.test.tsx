// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { mount, passTime } from "../testing/mount";
import { useAutomaticRetry } from "./use-automatic-retry";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function fail(attempt: number, failed = true) {
  const retry = vi.fn();
  function Failing(props: { readonly failed: boolean }) {
    useAutomaticRetry(props.failed, attempt, retry);
    return null;
  }
  const { show } = await mount(<Failing failed={failed} />);
  return { retry, recover: () => show(<Failing failed={false} />) };
}

it.each([
  [0, 2_000],
  [1, 4_000],
  [4, 32_000],
  [9, 60_000],
])("waits longer with each attempt: %i", async (attempt, delayMs) => {
  const { retry } = await fail(attempt);
  await passTime(delayMs - 1);
  expect(retry).not.toHaveBeenCalled();
  await passTime(delayMs / 4 + 1);
  expect(retry).toHaveBeenCalledOnce();
});

it("retries when online, and only while it has failed", async () => {
  const { retry, recover } = await fail(5);
  dispatchEvent(new Event("online"));
  expect(retry).toHaveBeenCalledOnce();
  await recover();
  dispatchEvent(new Event("online"));
  await passTime(300_000);
  expect(retry).toHaveBeenCalledOnce();
});
