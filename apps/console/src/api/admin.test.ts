import { HttpError } from "@musette/client/http";
import { beforeEach, expect, it, vi } from "vitest";
import { changeAdmin, readTagged } from "./admin";

const send = vi.hoisted(() => vi.fn<typeof fetch>());
vi.mock("../session/session", () => ({ session: { fetch: send } }));

beforeEach(() => send.mockReset());

it("reads with its tag, and gives that back with a change", async () => {
  send.mockResolvedValueOnce(Response.json({ title: "a" }, { headers: { ETag: '"7"' } }));
  const { body, etag } = await readTagged("/term-drafts/1");
  expect(body).toEqual({ title: "a" });
  send.mockResolvedValueOnce(Response.json({ title: "b" }));
  const change = { method: "PUT", body: { title: "b" }, ifMatch: etag } as const;
  expect(await changeAdmin("/term-drafts/1", change)).toEqual({ title: "b" });
  const [url, init] = send.mock.calls[1] ?? [];
  expect(url).toBe("/api/admin/v1/term-drafts/1");
  expect(init).toMatchObject({
    method: "PUT",
    headers: { "Content-Type": "application/json", "If-Match": '"7"' },
    body: '{"title":"b"}',
  });
});

it("has nothing to say after a deletion", async () => {
  send.mockResolvedValueOnce(new Response(null, { status: 204 }));
  expect(await changeAdmin("/term-drafts/1", { method: "DELETE" })).toBeUndefined();
  expect(send.mock.calls[0]?.[1]?.headers).toEqual({});
});

it("tells what the server says about a refusal", async () => {
  const problem = { code: "precondition_failed", detail: "Somebody was faster." };
  send.mockRejectedValueOnce(
    new HttpError(
      new Response(JSON.stringify(problem), {
        status: 412,
        headers: { "Content-Type": "application/problem+json" },
      }),
    ),
  );
  await expect(changeAdmin("/term-drafts/1", { method: "PUT", body: {} })).rejects.toMatchObject({
    status: 412,
    problem: { code: "precondition_failed" },
  });
});
