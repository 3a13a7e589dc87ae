import { expect, it, vi } from "vitest";
import { loadJson } from "./manifest";

const respondWith = (status: number, body: string) => async () => new Response(body, { status });

it("fetches a file once", async () => {
  const fetch = vi.fn(respondWith(200, '{"pages":[]}'));
  const both = await Promise.all([loadJson("/once.json", fetch), loadJson("/once.json", fetch)]);
  expect(both[0]).toEqual({ pages: [] });
  await loadJson("/once.json", fetch);
  expect(fetch).toHaveBeenCalledTimes(1);
});

it("fetches again after a failure and rejects with its reason", async () => {
  const fetch = vi.fn(respondWith(503, ""));
  await expect(loadJson("/again.json", fetch)).rejects.toBe(503);
  fetch.mockImplementation(async () => Promise.reject(new TypeError("offline")));
  await expect(loadJson("/again.json", fetch)).rejects.toBeInstanceOf(TypeError);
  fetch.mockImplementation(respondWith(200, "<!doctype html>"));
  await expect(loadJson("/again.json", fetch)).rejects.toBeInstanceOf(SyntaxError);
  fetch.mockImplementation(respondWith(200, "7"));
  expect(await loadJson("/again.json", fetch)).toBe(7);
});
