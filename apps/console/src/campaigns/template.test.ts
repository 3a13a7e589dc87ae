import { expect, it } from "vitest";
import { fill, unknownPlaceholder } from "./template";

// The same cases as in `crates/core/src/campaigns/template.rs`.
const VALUES = {
  name: "Ada",
  title: "Terms of work",
  link: "https://terms.example/terms",
  deadline: "31 January 2027",
};

it("replaces each placeholder", () => {
  const text = "{{name}}: read {{title}} until {{deadline}} at {{link}}, {{name}}.";
  expect(fill(text, VALUES)).toBe(
    "Ada: read Terms of work until 31 January 2027 at https://terms.example/terms, Ada.",
  );
  expect(fill("{ {name} }", VALUES)).toBe("{ {name} }");
  expect(fill("", VALUES)).toBe("");
});

it.each([
  ["{{name}} {{title}} {{link}} {{deadline}}", undefined],
  ["{name}", undefined],
  ["{{ name }}", " name "],
  ["{{Name}}", "Name"],
  ["{{name}} {{token}}", "token"],
  ["{{}}", ""],
  ["{{nam", "nam"],
  ["{{{name}}}", "{name"],
])("reports the unknown placeholder of %j", (text, unknown) => {
  expect(unknownPlaceholder(text)).toBe(unknown);
});

it("does not replace placeholders in values", () => {
  expect(fill("Dear {{name}}", { ...VALUES, name: "{{link}}" })).toBe("Dear {{link}}");
  expect(fill("Dear {{name}}", { ...VALUES, name: "$& $1" })).toBe("Dear $& $1");
});

it("removes line breaks and direction marks from values", () => {
  const name = "Eve\r\nBcc: all@x.example\u2028\u202Etxt";
  expect(fill("{{name}}", { ...VALUES, name })).toBe("Eve  Bcc: all@x.example txt");
});
