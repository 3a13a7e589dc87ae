import { describe, expect, it } from "vitest";
import { languages } from "../language/languages";
import { en } from "./en";

const names = (value: object): readonly string[] =>
  Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === "object" ? names(inner).map((path) => `${name}.${path}`) : [name],
  );

describe.each(languages)("$tag", ({ load }) => {
  it("says everything that English says, and nothing else", async () => {
    expect(names(await load())).toEqual(names(en));
  });

  it("leaves nothing empty", async () => {
    const words = JSON.stringify(await load(), (_, value) =>
      typeof value === "function" ? value("5", "7") : value,
    );
    expect(words).not.toMatch(/""|undefined/);
  });
});
