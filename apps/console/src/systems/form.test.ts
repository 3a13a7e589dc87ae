import { expect, it } from "vitest";
import { bodyOf, emptyForm, emptyTranslation, formOf, withItem, withoutItem } from "./form";
import type { SystemBody } from "./systems-queries";

const body: SystemBody = {
  name: "Order dispatch",
  purpose: "Offers orders.",
  kind: "decision",
  locale: "en",
  markets: ["DE", "ES-MD"],
  data: [
    { category: "Location", source: "The app" },
    { category: "Vehicle", source: "The rider" },
  ],
  parameters: [
    { name: "Distance", weight: "main", description: "The nearest is first." },
    { name: "Vehicle", weight: "secondary", description: "Bicycles ride less far." },
  ],
  decisions: ["Who is asked."],
  human_oversight: "A dispatcher.",
  contact: { name: "Support", email: "riders@example.test" },
  texts: {
    de: {
      name: "Verteilung",
      parameters: [
        { name: "Entfernung", description: "Wer am nächsten ist." },
        { name: "Fahrzeug", description: "Fahrräder fahren kürzer." },
      ],
    },
  },
};

it("reads a description and writes the same one", () => {
  expect(bodyOf(formOf(body))).toEqual(body);
});

it("leaves out empty fields and accepts markets in any spelling", () => {
  const form = { ...formOf(body), oversight: " ", locale: "", markets: " DE,, ES-MD " };
  const written = bodyOf(form);
  expect(written).not.toHaveProperty("human_oversight");
  expect(written).not.toHaveProperty("locale");
  expect(written.markets).toEqual(["DE", "ES-MD"]);
});

it("keeps the lists of translations as long as those of the description", () => {
  const longer = withItem(formOf(body), "parameters");
  expect(longer.weights).toEqual(["main", "secondary", "secondary"]);
  expect(longer.texts.de?.parameters).toHaveLength(3);
  const shorter = withoutItem(longer, "parameters", 0);
  expect(shorter.parameters.map(({ name }) => name)).toEqual(["Vehicle", ""]);
  expect(shorter.texts.de?.parameters.map(({ name }) => name)).toEqual(["Fahrzeug", ""]);
  expect(shorter.weights).toEqual(["secondary", "secondary"]);
});

it("fills a partly translated list with the texts of the description", () => {
  const form = formOf(body);
  const german = { ...emptyTranslation(form), decisions: ["Wer gefragt wird."] };
  const partly = {
    ...german,
    data: [{ category: "Standort", source: "" }, ...german.data.slice(1)],
  };
  const text = bodyOf({ ...form, texts: { de: partly } }).texts.de;
  expect(text).toEqual({
    data: [
      { category: "Standort", source: "The app" },
      { category: "Vehicle", source: "The rider" },
    ],
    decisions: ["Wer gefragt wird."],
  });
});

it("writes an empty form without inventing anything", () => {
  expect(bodyOf(emptyForm)).toEqual({
    name: "",
    purpose: "",
    kind: "decision",
    markets: [],
    data: [],
    parameters: [],
    decisions: [],
    contact: { name: "" },
    texts: {},
  });
});
