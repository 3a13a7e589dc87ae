import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const SOURCES = ["packages/client/src", "packages/react/src", "apps/rider/src"];
const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*"([^"]+)"/g;

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function resolve(from: string, specifier: string): string | undefined {
  const own = /^@musette\/(client|react)\/(.+)$/.exec(specifier);
  const path = own ? `packages/${own[1]}/src/${own[2]}` : join(dirname(from), specifier);
  if (!own && !specifier.startsWith(".")) return undefined;
  return [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find(
    (candidate) => existsSync(join(ROOT, candidate)) && statSync(join(ROOT, candidate)).isFile(),
  );
}

function importsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, file), "utf8");
  const imported = [...text.matchAll(IMPORT)].map(([, specifier = ""]) => resolve(file, specifier));
  return new Set(imported.filter((path) => path !== undefined));
}

/** Returns the strongly connected components with at least two members (Tarjan's algorithm). */
function findCycles(graph: Graph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  function visit(node: string): number {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) low.set(node, Math.min(low.get(node) ?? 0, visit(next)));
      else if (stack.includes(next))
        low.set(node, Math.min(low.get(node) ?? 0, index.get(next) ?? 0));
    }
    if (low.get(node) === index.get(node)) {
      const members = stack.splice(stack.indexOf(node));
      if (members.length > 1) cycles.push(members.sort());
    }
    return low.get(node) ?? 0;
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return cycles;
}

const files = SOURCES.flatMap((source) =>
  readdirSync(join(ROOT, source), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file))
    .map((file) => `${source}/${file}`),
);
const byFile: Graph = new Map(files.map((file) => [file, importsOf(file)]));

/** Returns the folder below `src`. A file directly below it counts as a folder. */
function folderOf(file: string): string {
  const source = SOURCES.find((each) => file.startsWith(`${each}/`)) ?? "";
  return join(source, relative(source, file).split("/")[0] ?? "");
}

it("finds cycles", () => {
  const graph = new Map([
    ["a", new Set(["b"])],
    ["b", new Set(["c", "d"])],
    ["c", new Set(["a"])],
    ["d", new Set<string>()],
  ]);
  expect(findCycles(graph)).toEqual([["a", "b", "c"]]);
});

it("no file imports itself through others", () => {
  expect(files.length).toBeGreaterThan(250);
  expect(findCycles(byFile)).toEqual([]);
});

// For the console, `apps/console/src/rooms.test.ts` tests this.
it("no folder imports itself through others", () => {
  const importsByFolder = new Map<string, Set<string>>();
  for (const [file, imported] of byFile) {
    const imports = importsByFolder.get(folderOf(file)) ?? new Set();
    for (const each of imported) if (folderOf(each) !== folderOf(file)) imports.add(folderOf(each));
    importsByFolder.set(folderOf(file), imports);
  }
  expect(findCycles(importsByFolder)).toEqual([]);
});
