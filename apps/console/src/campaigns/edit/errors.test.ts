import { HttpError } from "@musette/client/http";
import { expect, it } from "vitest";
import { en } from "../texts/en";
import { errorAt, escaped, isAboutFields } from "./errors";

function refused(...errors: readonly (readonly [pointer: string, code: string])[]): HttpError {
  const error = new HttpError(new Response(null, { status: 422 }));
  error.problem = {
    type: "about:blank",
    title: "Unprocessable Entity",
    status: 422,
    code: "invalid_request",
    detail: "",
    request_id: "r-1",
    errors: errors.map(([pointer, code]) => ({ pointer, code, detail: `detail of ${pointer}` })),
  };
  return error;
}

it("explains an error by its code, or an invalid value by its field", () => {
  const error = refused(
    ["/steps/1/at/before", "no_such_date"],
    ["/steps/2", "invalid_value"],
    ["/texts/en/subject", "invalid_value"],
    ["/market", "unknown_market"],
    ["/texts/x", "invalid_value"],
  );
  const textAt = errorAt(error, en);
  expect(textAt("/steps/1/at/before")).toBe(en.errors.no_such_date);
  expect(textAt("/steps/2")).toBe(en.errors.same_step);
  expect(textAt("/texts/en/subject")).toBe(en.errors.subject);
  expect(textAt("/market")).toBe(en.errors.unknown_market);
  expect(textAt("/texts/x")).toBe("detail of /texts/x");
  expect(textAt("/steps/0")).toBeUndefined();
  expect(isAboutFields(error)).toBe(true);
});

it("names no field for another error", () => {
  const error = new HttpError(new Response(null, { status: 503 }));
  expect(errorAt(error, en)("/steps")).toBeUndefined();
  expect(isAboutFields(error)).toBe(false);
  expect(isAboutFields(new TypeError("offline"))).toBe(false);
});

it("escapes names in pointers", () => {
  expect(escaped("a/b~c")).toBe("a~1b~0c");
});
