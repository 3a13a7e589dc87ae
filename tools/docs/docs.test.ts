import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const NOT_OURS = /(^|\/)(node_modules|target|dist|\.git|\.venv)(\/|$)/;

function files(folder: string, ending: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (NOT_OURS.test(path)) return [];
    if (entry.isDirectory()) return files(path, ending);
    return entry.name.endsWith(ending) ? [path] : [];
  });
}

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** Returns the anchor of a heading on GitHub. */
const anchor = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");

const anchors = (page: string) =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchor(heading));

const isBroken = (from: string, link: string) => {
  const [path = "", wanted] = link.split("#");
  const target = path ? normalize(join(dirname(from), path)) : from;
  if (!existsSync(join(ROOT, target))) return true;
  return wanted !== undefined && target.endsWith(".md") && !anchors(read(target)).includes(wanted);
};

/** Returns the matches of the pattern's groups in the sources that the page does not contain in backticks. */
function unnamed(page: string, sources: readonly string[], pattern: RegExp): readonly string[] {
  const text = read(page);
  const names = sources.flatMap((path) =>
    [...read(path).matchAll(pattern)].map(([, first, second]) => first ?? second ?? ""),
  );
  expect(names.length).toBeGreaterThan(10);
  return [...new Set(names)].filter((name) => !text.includes(`\`${name}\``));
}

describe("the documentation", () => {
  const pages = ["docs", "packages", "demo", "bench", "tools", "deploy"]
    .flatMap((folder) => files(folder, ".md"))
    .concat(readdirSync(ROOT).filter((name) => name.endsWith(".md")));
  const server = files("crates/server/src", ".rs").filter((path) => !/tests?(\.rs|\/)/.test(path));

  it.each(pages)("%s has no broken link", (page) => {
    const prose = read(page).replace(/```[\s\S]*?```/g, "");
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].map(
      ([, link, source]) => link ?? source ?? "",
    );
    const internal = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(internal.filter((link) => isBroken(page, link))).toEqual([]);
  });

  it("lists the types of events, and no other", () => {
    const types = JSON.parse(read("openapi.json")).components.schemas.EventType.enum as string[];
    const table = read("docs/integration.md").split("## Events\n")[1] ?? "";
    const rows = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, names = ""]) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    );
    expect(rows).toEqual(types);
  });

  it("numbers the decisions without gaps and duplicates", () => {
    const decisions = files("docs/decisions", ".md")
      .map((path) => path.split("/").at(-1) ?? "")
      .sort();
    const numbers = decisions.map((name) => Number(name.split("-")[0]));
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    for (const name of decisions) {
      expect(read(`docs/decisions/${name}`), name).toMatch(`# ${Number(name.split("-")[0])}. `);
    }
  });

  it("documents every metric in docs/operations.md", () => {
    const metric = /(?:counter|gauge)!\(\s*"(musette_\w+)"|"(musette_http_\w+)"/g;
    expect(unnamed("docs/operations.md", server, metric)).toEqual([]);
  });

  it("documents every setting in docs/operations.md", () => {
    const setting = /env = "(MUSETTE_\w+)"/g;
    expect(unnamed("docs/operations.md", server, setting)).toEqual([]);
  });

  it.each([
    ["packages/react/README.md", "packages/react/src/consent/props.ts", "TermsConsentProps"],
    ["docs/flags.md", "packages/client/src/flags/flag-client.ts", "FlagClientOptions"],
    ["docs/embedding-session.md", "packages/client/src/session/session.ts", "SessionOptions"],
  ])("documents in %s every option of %s", (page, source, type) => {
    const body = read(source).split(`export interface ${type} {`)[1]?.split(/^}/m)[0] ?? "";
    const options = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = ""]) => name);
    expect(options.length).toBeGreaterThan(5);
    expect(options.filter((name) => !read(page).includes(`\`${name}\``))).toEqual([]);
  });

  it("docs/console.md contains only labels that the console shows", () => {
    const texts = files("apps/console/src", "en.ts").map(read).join("");
    const labels = [...read("docs/console.md").matchAll(/(?<![*\w])\*([A-Z][^*]+)\*(?!\*)/g)];
    const shown = labels.flatMap(([, label = ""]) => label.split(/\s*→\s*/));
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((label) => !texts.includes(label.replace(/\s+/g, " ")))).toEqual([]);
  });

  it("documents every error code in docs/api-design.md", () => {
    const code =
      /Problem::(?:new|invalid)\(\s*(?:StatusCode::\w+,\s*)?"([a-z]+(?:_[a-z]+)*)"|Self::new\(\s*StatusCode::\w+,\s*"([a-z_]+)"/g;
    expect(unnamed("docs/api-design.md", server, code)).toEqual([]);
  });
});
