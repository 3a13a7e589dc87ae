import { beforeEach, expect, it, vi } from "vitest";
import { auditText, exportAudit } from "./audit-file";

const get = vi.hoisted(() => vi.fn());
vi.mock("../api/client", () => ({ api: { get } }));
beforeEach(() => get.mockReset());

const entry = {
  id: "1",
  at: "2026-11-21T08:00:00.000Z",
  event: "signed_in",
  user_id: "r1",
  by: "person",
} as const;

it("writes a table that a spreadsheet reads as text", () => {
  const odd = { ...entry, detail: '=cmd("x"), or\nso' };
  expect(auditText([entry, odd], "csv", true)).toBe(
    "id,at,event,subject,user_id,sid,detail,actor,actor_user_id,count,name,by,actor_name\r\n" +
      "1,2026-11-21T08:00:00.000Z,signed_in,,r1,,,,,,,person,\r\n" +
      `1,2026-11-21T08:00:00.000Z,signed_in,,r1,,"'=cmd(""x""), or\nso",,,,,person,\r\n`,
  );
});

it("writes each entry as one line of JSON", () => {
  expect(
    auditText([entry, entry], "jsonl", true)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([entry, entry]);
});

it("fetches every page with the same filter, and writes the column names once", async () => {
  get
    .mockResolvedValueOnce({ items: [entry], next_cursor: "next" })
    .mockResolvedValueOnce({ items: [entry] });
  const onProgress = vi.fn();
  const { signal } = new AbortController();
  const file = await exportAudit({ event: "signed_in" }, "csv", { signal, onProgress });
  expect((await file.text()).trimEnd().split("\r\n")).toHaveLength(3);
  expect(onProgress.mock.calls).toMatchObject([[{ rows: 1 }], [{ rows: 2, bytes: file.size }]]);
  const [path, query] = ["/api/admin/v1/audit", { event: "signed_in", limit: 200 }];
  expect(get.mock.calls).toEqual([
    [path, { query }],
    [path, { query: { ...query, cursor: "next" } }],
  ]);
});

it("stops when it is cancelled", async () => {
  const cancel = new AbortController();
  get.mockImplementation(async () => {
    cancel.abort();
    return { items: [entry], next_cursor: "next" };
  });
  const { signal } = cancel;
  const gathering = exportAudit({}, "jsonl", { signal, onProgress: () => {} });
  await expect(gathering).rejects.toMatchObject({ name: "AbortError" });
  expect(get).toHaveBeenCalledTimes(1);
});
