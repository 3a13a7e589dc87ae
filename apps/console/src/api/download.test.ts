// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { fetchFile, fileNameWithDate, type Progress } from "./download";

const send = vi.hoisted(() => vi.fn<typeof fetch>());
vi.mock("../session/session", () => ({ session: { fetch: send } }));

beforeEach(() => send.mockReset());

it("counts rows and bytes as they arrive, wherever the chunks are split", async () => {
  const pieces = ["a,b\n1", ",2\n3,", "4\n"].map((text) => new TextEncoder().encode(text));
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  send.mockResolvedValueOnce(new Response(body, { headers: { "Content-Type": "text/csv" } }));
  const reports: Progress[] = [];
  const file = await fetchFile("/x", { onProgress: (progress) => reports.push(progress) });
  expect(await file.text()).toBe("a,b\n1,2\n3,4\n");
  expect(file.type).toBe("text/csv");
  expect(reports.at(-1)).toEqual({ bytes: 12, rows: 3 });
});

it("stops when it is cancelled", async () => {
  const cancel = new AbortController();
  send.mockImplementationOnce(async (_, init) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(3));
        init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
      },
    });
    return new Response(body);
  });
  const file = fetchFile("/x", { signal: cancel.signal });
  cancel.abort();
  await expect(file).rejects.toMatchObject({ name: "AbortError" });
});

it("adds the date to a file name", () => {
  expect(fileNameWithDate("consents", new Date(2026, 0, 5))).toBe("consents-2026-01-05");
});
