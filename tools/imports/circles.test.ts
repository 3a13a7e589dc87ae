import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const SOURCES = ["packages/client/src", "packages/react/src", "apps/rider/src"];
const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*"([^"]+)"/g;

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function resolve(from: string, specifier: string): string | undefined {
  const packageImport = /^@musette\/(client|react)\/(.+)$/.exec(specifier);
  const path = packageImport
    ? `packages/${packageImport[1]}/src/${packageImport[2]}`
    : join(dirname(from), specifier);
  if (!packageImport && !specifier.startsWith(".")) return undefined;
  return [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find(
    (candidate) => existsSync(join(ROOT, candidate)) && statSync(join(ROOT, candidate)).isFile(),
  );
}

function importsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, file), "utf8");
  const paths = [...text.matchAll(IMPORT)].map(([, specifier = ""]) => resolve(file, specifier));
  return new Set(paths.filter((path) => path !== undefined));
}

/** Returns the import cycles: Tarjan's strongly connected components with two or more members. */
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

/** Returns the folder of a file below `src`, or the file itself if it is directly in `src`. */
function folderOf(file: string): string {
  const source = SOURCES.find((each) => file.startsWith(`${each}/`)) ?? "";
  return join(source, relative(source, file).split("/")[0] ?? "");
}

it("finds a cycle", () => {
  const graph = new Map([
    ["a", new Set(["b"])],
    ["b", new Set(["c", "d"])],
    ["c", new Set(["a"])],
    ["d", new Set<string>()],
  ]);
  expect(findCycles(graph)).toEqual([["a", "b", "c"]]);
});

it("has no import cycles between files", () => {
  expect(files.length).toBeGreaterThan(250);
  expect(findCycles(byFile)).toEqual([]);
});

// The console has a separate test, `apps/console/src/rooms.test.ts`.
it("has no import cycles between folders", () => {
  const byFolder = new Map<string, Set<string>>();
  for (const [file, imported] of byFile) {
    const folder = byFolder.get(folderOf(file)) ?? new Set();
    for (const each of imported) if (folderOf(each) !== folderOf(file)) folder.add(folderOf(each));
    byFolder.set(folderOf(file), folder);
  }
  expect(findCycles(byFolder)).toEqual([]);
});
