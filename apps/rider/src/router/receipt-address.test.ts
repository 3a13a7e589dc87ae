import { expect, it } from "vitest";
import { currentAddress, numberIn, receiptHref } from "./receipt-address";

const ID = "GzVq1Y0mD0e8v7uQXbq5mT3c2pWkZr4A";
const GROUPED = "7Q2K-01AB-9XZ0-4M5N-8PTR-6VWY-3C1D-EFG0-HJKS";
const DASHED = "-zVq1Y0mD0e8v7uQ_bq5mT3c2pWkZr4-";

it.each([
  [ID, ID],
  [`  ${ID}\n`, ID],
  [`${ID.slice(0, 16)}\n${ID.slice(16)}`, ID],
  [DASHED, DASHED],
  [GROUPED, GROUPED],
  [GROUPED.toLowerCase().replaceAll("-", " "), GROUPED],
  [`https://terms.example/receipt#${GROUPED}`, GROUPED],
  [`https://terms.example/receipts/${GROUPED}.pdf`, GROUPED],
  [`https://terms.example/receipt#${ID}`, ID],
  [`http://127.0.0.1:8080/receipt/#${DASHED}`, DASHED],
  [`https://terms.example/receipt?lang=ar#${ID}`, ID],
  [`https://terms.example/receipt/${ID}`, ID],
  [`https://terms.example/receipts/${ID}.json`, ID],
  [`https://terms.example/receipts/${ID}.tlog-proof`, ID],
  [receiptHref(ID), ID],
  ["", undefined],
  ["content", undefined],
  ["https://terms.example/receipt", undefined],
  [`${ID}!`, undefined],
  ["<img src=x onerror=alert(1)> and more of it", undefined],
  ["A".repeat(65), undefined],
])("%j → %s", (typed, number) => expect(numberIn(typed)).toBe(number));

it("rewrites only the former address", () => {
  expect(currentAddress(`/receipt/${ID}`)).toBe(`/receipt#${ID}`);
  expect(currentAddress(`/receipt/${ID}/`)).toBe(`/receipt#${ID}`);
  for (const path of ["/receipt", "/receipt/", "/receipts/x", `/a/receipt/${ID}`, "/"]) {
    expect(currentAddress(path)).toBeUndefined();
  }
});
