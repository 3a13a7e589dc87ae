import { HttpError } from "@musette/client/http";
import { expect, it } from "vitest";
import { receiptErrorKind } from "./receipt-error";

const answer = (status: number, code?: string) =>
  new HttpError(new Response(null, { status }), {
    type: "about:blank",
    title: "",
    status,
    code: code ?? "",
    detail: "",
    request_id: "",
  });

// The server's answers. `evidence/receipts.rs` and `evidence/lookup.rs` test them.
it.each([
  ["without a session, one of an account", 401, "unauthenticated", undefined, "ofAccount"],
  ["without a session, one that does not exist", 404, "receipt_unknown", undefined, "unknown"],
  ["with a session, one of nobody or of another", 404, "receipt_unknown", "r1", "notYours"],
  ["a session that has ended", 401, "unauthenticated", "r1", "otherwise"],
  ["a claim of what another has claimed", 409, "receipt_claimed", "r1", "ofAnother"],
  ["an erased person's", 410, "receipt_erased", undefined, "erased"],
  ["a proxy's refusal", 403, undefined, "r1", "otherwise"],
  ["a proxy's own page", 404, undefined, undefined, "otherwise"],
] as const)("%s", (_, status, code, userId, kind) => {
  expect(receiptErrorKind(answer(status, code), userId)).toBe(kind);
});
