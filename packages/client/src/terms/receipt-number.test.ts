import { expect, it } from "vitest";
import { receiptNumber } from "./receipt-number";

const ID = "7Q2K-01AB-9XZ0-4M5N-8PTR-6VWY-3C1D-EFG0-HJKS";
const FORMER = "-zVq1Y0mD0e8v7uQ_bq5mT3c2pWkZr4-";

it.each([
  ID,
  ID.toLowerCase(),
  ID.replaceAll("-", ""),
  ID.replaceAll("-", " "),
  ID.replaceAll("-", "–"),
  ` \u200e${ID}\n`,
  `${ID.slice(0, 22)}\n${ID.slice(22)}`,
  ID.replaceAll("1", "I").replaceAll("0", "O"),
  ID.replaceAll("1", "l").replaceAll("0", "o").toLowerCase(),
])("reads %j", (typed) => expect(receiptNumber(typed)).toBe(ID));

it("leaves a former number as it is", () => {
  expect(receiptNumber(FORMER)).toBe(FORMER);
  expect(receiptNumber(` ${FORMER.slice(0, 16)}\n${FORMER.slice(16)} `)).toBe(FORMER);
});

it.each([
  "",
  "content",
  ID.slice(0, -1),
  `${ID}2`,
  ID.replace("7", "U"),
  `${FORMER}A`,
  "demo-rider-1",
])("is undefined for %j", (typed) => expect(receiptNumber(typed)).toBeUndefined());
