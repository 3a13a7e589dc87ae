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

/** The anchor that a heading gets on GitHub. */
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

/** What the pattern's groups match in these sources, unless the page contains it in backticks. */
function unnamed(page: string, sources: readonly string[], pattern: RegExp): readonly string[] {
  const text = read(page);
  const found = sources.flatMap((path) =>
    [...read(path).matchAll(pattern)].map(([, first, second]) => first ?? second ?? ""),
  );
  expect(found.length).toBeGreaterThan(10);
  return [...new Set(found)].filter((name) => !text.includes(`\`${name}\``));
}

describe("the documentation", () => {
  const pages = ["docs", "packages", "demo", "bench", "tools"]
    .flatMap((folder) => files(folder, ".md"))
    .concat(readdirSync(ROOT).filter((name) => name.endsWith(".md")));
  const server = files("crates/server/src", ".rs").filter((path) => !/tests?(\.rs|\/)/.test(path));

  it.each(pages)("%s has no broken link", (page) => {
    const prose = read(page).replace(/```[\s\S]*?```/g, "");
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].map(
      ([, link, source]) => link ?? source ?? "",
    );
    const own = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(own.filter((link) => isBroken(page, link))).toEqual([]);
  });

  it("names every metric in docs/operations.md", () => {
    const metric = /(?:counter|gauge)!\(\s*"(musette_\w+)"|"(musette_http_\w+)"/g;
    expect(unnamed("docs/operations.md", server, metric)).toEqual([]);
  });

  it("names every setting in docs/operations.md", () => {
    const setting = /env = "(MUSETTE_\w+)"/g;
    expect(unnamed("docs/operations.md", server, setting)).toEqual([]);
  });

  it("names every code of an error in docs/api-design.md", () => {
    const code =
      /Problem::(?:new|invalid)\(\s*(?:StatusCode::\w+,\s*)?"([a-z]+(?:_[a-z]+)*)"|Self::new\(\s*StatusCode::\w+,\s*"([a-z_]+)"/g;
    expect(unnamed("docs/api-design.md", server, code)).toEqual([]);
  });
});
