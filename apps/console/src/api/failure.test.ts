import { HttpError } from "@musette/client/http";
import { expect, it } from "vitest";
import { failureKind } from "./failure";

it.each([
  [401, "signedOut"],
  [403, "forbidden"],
  [412, "changed"],
  [429, "rateLimited"],
  [422, "refused"],
  [500, "server"],
  [503, "server"],
])("%d → %s", (status, kind) => {
  expect(failureKind(new HttpError(new Response(null, { status })))).toBe(kind);
});

it("treats a missing answer as a lost connection", () => {
  expect(failureKind(new TypeError("Failed to fetch"))).toBe("offline");
});
