import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bucket, murmur3 } from "./bucket";

interface Vectors {
  cases: { input: string; hash: number; bucket: number }[];
}

it("returns the same buckets as the engine", () => {
  const file = new URL("../../testdata/flags-buckets.json", import.meta.url);
  const { cases }: Vectors = JSON.parse(readFileSync(file, "utf8"));
  expect(cases.length).toBeGreaterThan(100);
  for (const { input, hash, bucket: expected } of cases) {
    expect([input, murmur3(new TextEncoder().encode(input))]).toEqual([input, hash]);
    expect([input, bucket(input)]).toEqual([input, expected]);
  }
});
