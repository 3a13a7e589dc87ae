import { HttpError } from "@musette/client/http";
import { beforeEach, expect, it, vi } from "vitest";
import { api, urlOf } from "./client";

const send = vi.hoisted(() => vi.fn<typeof fetch>());
vi.mock("../session/session", () => ({ session: { fetch: send } }));

const DRAFT = "/api/admin/v1/term-drafts/{id}";
const at = { path: { id: "1" } };

beforeEach(() => send.mockReset());

it("returns the ETag of a read, and sends it with a change", async () => {
  send.mockResolvedValueOnce(Response.json({ title: "a" }, { headers: { ETag: '"7"' } }));
  const { body, etag } = await api.tagged(DRAFT, at);
  expect(body).toEqual({ title: "a" });
  send.mockResolvedValueOnce(Response.json({ title: "b" }));
  expect(await api.put(DRAFT, { ...at, body: { summary: "b" }, ifMatch: etag })).toEqual({
    title: "b",
  });
  const [url, init] = send.mock.calls[1] ?? [];
  expect(url).toBe("/api/admin/v1/term-drafts/1");
  expect(init).toMatchObject({
    method: "PUT",
    headers: { "Content-Type": "application/json", "If-Match": '"7"' },
    body: '{"summary":"b"}',
  });
});

it("returns undefined after a deletion", async () => {
  send.mockResolvedValueOnce(new Response(null, { status: 204 }));
  expect(await api.delete(DRAFT, { ...at, ifMatch: '"7"' })).toBeUndefined();
  expect(send.mock.calls[0]?.[1]?.headers).toEqual({ "If-Match": '"7"' });
});

it("includes the server's problem in the error", async () => {
  const problem = { code: "precondition_failed", detail: "Somebody was faster." };
  send.mockRejectedValueOnce(
    new HttpError(
      new Response(JSON.stringify(problem), {
        status: 412,
        headers: { "Content-Type": "application/problem+json" },
      }),
    ),
  );
  await expect(api.put(DRAFT, { ...at, body: {} })).rejects.toMatchObject({
    status: 412,
    problem: { code: "precondition_failed" },
  });
});

it("builds the path and query from the given parameters only", () => {
  const request = {
    path: { key: "a/b" },
    query: { environment: "eu", phase: 0, metric: undefined },
  };
  expect(urlOf("/experiments/{key}/results", request)).toBe(
    "/experiments/a%2Fb/results?environment=eu&phase=0",
  );
});
