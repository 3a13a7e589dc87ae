import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BLOCKS, type Block, named, ROOT } from "./blocks";
import { typeErrors } from "./typescript";

const of = (...languages: readonly string[]) =>
  BLOCKS.filter(({ language }) => languages.includes(language));

/** Languages whose blocks are tested elsewhere, or are no code. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "": "an outline or a printed output",
  text: "a line with a public key",
  http: "headers, which tools/embedding/docs.mjs serves",
  nginx: "run by tools/embedding/reverse-proxies.mjs",
  caddyfile: "run by tools/embedding/reverse-proxies.mjs",
  mermaid: "a picture, compared with the table by crates/core/src/decisions/picture.rs",
  python: "run by tools/integration/run",
  toml: "a dependency on this checkout by path",
  ini: "a unit of systemd, whose command crates/server/tests/it/command/docs.rs runs",
  csv: "imported by crates/server/tests/it/command/docs.rs",
};

function syntaxErrors(program: string, args: readonly string[], block: Block): readonly string[] {
  const { status, stderr } = spawnSync(program, args, { input: block.code, encoding: "utf8" });
  return status === 0 ? [] : [`${named(block)}: ${stderr}`];
}

describe("the code blocks of the documentation", () => {
  it("name their language, and each language is tested", () => {
    const tested = ["json", "ts", "tsx", "js", "rust", "sh", "css"];
    const unknown = BLOCKS.filter(
      ({ language }) => !tested.includes(language) && !(language in ELSEWHERE),
    );
    expect(unknown.map(named)).toEqual([]);
    const used = new Set(BLOCKS.map(({ language }) => language));
    expect(Object.keys(ELSEWHERE).filter((language) => !used.has(language))).toEqual([]);
  });

  it("are JSON", () => {
    const isJson = ({ code }: Block) => {
      try {
        JSON.parse(code);
        return true;
      } catch {
        return false;
      }
    };
    expect(of("json").length).toBeGreaterThan(30);
    expect(
      of("json")
        .filter((block) => !isJson(block))
        .map(named),
    ).toEqual([]);
  });

  it("compile as TypeScript, with the names and types of the packages", {
    timeout: 240_000,
  }, () => {
    // The backends in JavaScript run in tools/integration/run.
    const backends = ["docs/integration.md", "docs/decisions.md"];
    const blocks = of("ts", "tsx", "js").filter(({ page }) => !backends.includes(page));
    expect(blocks.length).toBeGreaterThan(20);
    expect(typeErrors(blocks)).toEqual([]);
  });

  it("in Rust are part of a compiled example", () => {
    const examples = ["core", "server"].flatMap((name) => {
      const folder = join(ROOT, "crates", name, "examples");
      return readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
    });
    const lines = (code: string) =>
      code
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
    const isPart = ({ code }: Block) =>
      examples.some((example) => lines(example).join("\n").includes(lines(code).join("\n")));
    expect(of("rust").length).toBeGreaterThan(1);
    expect(
      of("rust")
        .filter((block) => !isPart(block))
        .map(named),
    ).toEqual([]);
  });

  it("and its prose name only methods and traits that the engine has", () => {
    const page = readFileSync(join(ROOT, "docs/flags-in-process.md"), "utf8");
    const [, reference = ""] = page.split("## Reference\n");
    const names = [...reference.matchAll(/`([A-Za-z]+(?:_[a-z]+)*)`/g)].map(([, name]) => name);
    const folder = join(ROOT, "crates/core/src/flags");
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".rs"))
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .join("\n");
    expect(names.length).toBeGreaterThan(4);
    const isThere = (name = "") =>
      name === "now" || new RegExp(`(?:pub fn|pub trait) ${name}\\b`).test(sources);
    expect(names.filter((name) => !isThere(name))).toEqual([]);
  });

  it("are shell commands without syntax errors", () => {
    expect(of("sh").flatMap((block) => syntaxErrors("sh", ["-n"], block))).toEqual([]);
  });

  it("have balanced style rules with known custom properties", () => {
    const tokens = readFileSync(join(ROOT, "docs/theming.md"), "utf8");
    for (const block of of("css")) {
      const { code } = block;
      expect(code.split("{").length, named(block)).toBe(code.split("}").length);
      for (const [name] of code.matchAll(/--mu-[\w-]+/g))
        expect(tokens, named(block)).toContain(name);
    }
  });
});
