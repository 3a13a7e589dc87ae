import { expect, it } from "vitest";
import { bodyOf, emptyForm, missing, type RestrictionForm } from "./form";

const TEXT = "You may not work until 1 December, because two orders were not delivered.";
const form: RestrictionForm = {
  ...emptyForm(" rider-1 ", "en"),
  end: "2026-12-01T12:00:00.000Z",
  statements: [{ locale: "en", text: ` ${TEXT} ` }],
  reasonCode: "missing_orders",
  reasonText: "Two orders were not delivered.",
  name: "Rider support",
  email: "riders@larkspur.example",
};

it("is complete with a long statement, a reason, a contact, and the end of a suspension", () => {
  expect(missing(form)).toEqual([]);
  expect(missing({ ...form, end: "" })).toEqual(["end"]);
  expect(missing({ ...form, kind: "limitation", end: "" })).toEqual([]);
  expect(missing({ ...form, email: "" })).toEqual(["email"]);
  expect(missing({ ...form, email: "", phone: "+49 30 000000" })).toEqual([]);
  expect(missing({ ...form, statements: [{ locale: "en", text: "Too short." }] })).toEqual([
    "statements",
  ]);
  expect(missing({ ...form, reasonCode: "Missing orders" })).toEqual(["reasonCode"]);
});

it("becomes a trimmed request", () => {
  expect(bodyOf(form)).toEqual({
    user_id: "rider-1",
    kind: "suspension",
    statement: { en: TEXT },
    reasons: [{ code: "missing_orders", text: { en: "Two orders were not delivered." } }],
    contact: { name: "Rider support", email: "riders@larkspur.example" },
    ends_at: "2026-12-01T12:00:00.000Z",
  });
});

it("has no end if it ends the access", () => {
  expect(bodyOf({ ...form, kind: "termination" })).not.toHaveProperty("ends_at");
});
