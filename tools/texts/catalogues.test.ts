import { expect, it } from "vitest";
import { CATALOGUES, parseArb, readCatalogue, writeArb } from "./catalogues.mjs";
import { findings } from "./check.mjs";
import { argumentsOf, parse } from "./message.mjs";
import { typescript } from "./typescript.mjs";
import { fromXliff, toXliff } from "./xliff.mjs";

interface Catalogue {
  readonly name: string;
}

const catalogues: readonly Catalogue[] = CATALOGUES;
const named = (name: string) => readCatalogue(catalogues.find((one) => one.name === name));

it.each(catalogues)("$name is complete in every language", (catalogue) => {
  expect(findings(catalogue)).toEqual([]);
});

it("the certificate names the button like the consent screen", () => {
  const certificate = named("certificate");
  for (const [tag, { messages }] of named("react")) {
    const button = messages.get("consent.agreeAll");
    expect(certificate.get(tag).messages.get("agree_all"), tag).toContain(button);
  }
});

it.each(catalogues)("$name is unchanged after a round trip through ARB and XLIFF", (catalogue) => {
  const languages = readCatalogue(catalogue);
  const english = languages.get("en");
  for (const [tag, { head, messages, about }] of languages) {
    const again = parseArb(writeArb(head, messages, about));
    expect([...again.messages]).toEqual([...messages]);
    expect(again.head).toEqual(head);
    if (tag === "en") continue;
    const [file, ...more] = fromXliff(toXliff(catalogue.name, tag, english, { messages }));
    expect(more).toEqual([]);
    expect([file.name, file.tag]).toEqual([catalogue.name, tag]);
    expect([...file.messages]).toEqual([...messages]);
  }
});

it("reads an XLIFF file as translators' tools write it", () => {
  const xml = `<?xml version='1.0'?><xliff version="1.2"><file target-language='nl' original="rider">
    <body><trans-unit approved="yes" id="a"><source>A &amp; b</source>
    <target state="final"><mrk mtype="seg" mid="0">Een &lt;b&gt; &amp; &#x27;c&#39;</mrk></target></trans-unit>
    <trans-unit id="b"><source>B</source><target/></trans-unit>
    <trans-unit id="c"><source>C</source></trans-unit></body></file></xliff>`;
  const [{ name, tag, messages }] = fromXliff(xml);
  expect([name, tag, [...messages]]).toEqual(["rider", "nl", [["a", "Een <b> & 'c'"]]]);
  expect(() => fromXliff(xml.replace("Een", "<x id='1'/>Een"))).toThrow("has an element");
});

it("reads ICU messages", () => {
  const text = "{a} it’s '{b}' {n, plural, =0 {none} one {# of {c}} other {# '#'}} {d, number}";
  expect([...argumentsOf(parse(text))]).toEqual([
    ["a", false],
    ["n", true],
    ["c", false],
    ["d", true],
  ]);
  for (const wrong of [
    "{",
    "}",
    "{a, select, b {c}}",
    "{n, plural, one {a}}",
    "{n, plural, other {a}",
  ]) {
    expect(() => parse(wrong), wrong).toThrow();
  }
});

it("writes code that formats the message", async () => {
  const languages = new Map([
    ["en", arb("en", "{n, plural, =0 {no `$'{'` {what}} one {# {what}} other {# {what}s}}")],
    ["bn", arb("bn", "{n, plural, one {# {what}} other {#টি {what}}}")],
  ]);
  const files: Map<string, string> = typescript(languages, new Set());
  expect(files.get("generated/texts.ts")).toContain(
    "readonly b: (what: string, n: number) => string",
  );
  const english = await evaluate(files.get("generated/en.ts"), "en");
  expect(english.a.b("tick", 0)).toBe("no `${` tick");
  expect(english.a.b("tick", 1)).toBe("1 tick");
  expect(english.a.b("tick", 1234)).toBe("1,234 ticks");
  const bengali = await evaluate(files.get("generated/bn.ts"), "texts");
  expect(bengali.a.b("x", 12)).toBe("১২টি x");
});

const arb = (locale: string, text: string) => ({
  head: { "@@locale": locale },
  messages: new Map([["a.b", text]]),
  about: new Map([["a.b", { placeholders: { what: { type: "String" }, n: { type: "int" } } }]]),
});

/** Returns the generated module without its types. */
async function evaluate(code = "", name: string) {
  const plain = code.replace(/import type .*|: (Texts|string|number)\b/g, "");
  return (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(plain)}`))[
    name
  ];
}
