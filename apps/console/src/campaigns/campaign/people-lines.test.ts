import { expect, it } from "vitest";
import { linesOf, PEOPLE_HEADER } from "./people-lines";

const MESSAGE = {
  id: "m-1",
  step: 0,
  channel: "email",
  locale: "en",
  sha256: "ab",
  sent_at: "2026-11-27T09:00:00Z",
  outcome: "bounced",
  status: "5.1.1",
  repeated: true,
  message_id: "m-1@larkspur.example",
} as const;

it("writes one line for each message, with as many cells as the header", () => {
  const lines = linesOf({
    user_id: "rider-1",
    status: "bounced",
    messages: [MESSAGE, { ...MESSAGE, id: "m-2", step: 1, outcome: null, sent_at: null }],
  });
  expect(lines.map((line) => line.length)).toEqual([PEOPLE_HEADER.length, PEOPLE_HEADER.length]);
  expect(lines[0]?.slice(0, 10)).toEqual([
    ...["rider-1", "bounced", "", "1", "email", "en", "2026-11-27T09:00:00Z"],
    ...["bounced", "5.1.1", "true"],
  ]);
  expect(lines[1]?.slice(3, 8)).toEqual(["2", "email", "en", "", ""]);
});

it("writes a line with the reason for a person without messages", () => {
  const [line, ...others] = linesOf({
    user_id: "rider-2",
    status: "skipped",
    reason: "no_address",
    messages: [],
  });
  expect(line?.slice(0, 4)).toEqual(["rider-2", "skipped", "no_address", ""]);
  expect(line).toHaveLength(PEOPLE_HEADER.length);
  expect(others).toEqual([]);
});
