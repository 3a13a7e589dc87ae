import { expect, it } from "vitest";
import { versionName } from "./version-name";

it("names a version by its label, or by its number", () => {
  expect(versionName({ label: "1.1", version: 2 }, "ar")).toBe("1.1");
  expect(versionName({ label: null, version: 2 }, "en")).toBe("2");
  expect(versionName({ version: 1002 }, "en")).toBe("1002");
});
