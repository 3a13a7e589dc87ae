import { expect, it } from "vitest";
import { codeIn, identifierIn } from "./typed";

it.each([
  ["12", "12"],
  ["123456", "123456"],
  ["123 456", "123456"],
  ["123-456", "123456"],
  ["١٢٣٤٥٦", "123456"],
  ["۱۲۳۴۵۶", "123456"],
  ["1234567", "123456"],
  ["Your code is 042917. It is good for 10 minutes.", "042917"],
  ["In 10 minutes: 042917", "042917"],
  ["no digits", ""],
])("finds in %j the code %j", (text, code) => {
  expect(codeIn(text)).toBe(code);
});

it.each([
  [" bram@example.test ", "bram@example.test"],
  ["+49 (30) 123-456", "+4930123456"],
  ["٠٥٠١٢٣٤٥٦٧", "0501234567"],
  ["bram", undefined],
  ["bram@", undefined],
  ["a b@example.test", undefined],
  ["123", undefined],
  ["", undefined],
])("sends %j as %j", (text, identifier) => {
  expect(identifierIn(text)).toBe(identifier);
});
