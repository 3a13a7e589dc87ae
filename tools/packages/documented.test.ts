import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Returns the entries of a package: each `index.ts` that its `exports` reach. */
function entries(name: string): string[] {
  const source = join(ROOT, "packages", name, "src");
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => /^([^/]+|flags\/testing)\/index\.ts$/.test(file))
    .map((file) => join(source, file));
}

/** Maps the name of an export to the file that declares it and its name there. */
function exportsOf(entry: string): [name: string, declared: string, file: string][] {
  const text = readFileSync(entry, "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
  if (/export \*/.test(text)) throw new Error(`${entry} exports names that it does not list`);
  return [...text.matchAll(/export (?:type )?\{([^}]*)\} from "([^"]+)"/g)].flatMap(
    ([, names = "", from = ""]) => {
      const path = join(dirname(entry), from);
      const source = [`${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find(existsSync) ?? path;
      return names
        .split(",")
        .map((each) => each.trim().replace(/^type /, ""))
        .filter(Boolean)
        .map((each): [string, string, string] => {
          const [declared = "", name = declared] = each.split(" as ");
          return [name, declared, source];
        });
    },
  );
}

/** Whether a doc comment is directly before the declaration, or before each of its overloads. */
function isDocumented(name: string, file: string): boolean {
  const lines = readFileSync(file, "utf8").split("\n");
  const declaration = new RegExp(
    `^export (?:declare )?(?:default )?(?:async )?(?:abstract )?(?:const|function|class|interface|type|enum) ${name}\\b`,
  );
  const at = lines.findIndex((line) => declaration.test(line));
  if (at < 0) {
    // Declared first and exported by a list, or re-exported from another file.
    return exportsOf(file).some(
      ([own, declared, from]) => own === name && isDocumented(declared, from),
    );
  }
  // A lint exception may be between the two.
  const above = lines.slice(0, at).reverse();
  return (
    above
      .find((line) => !line.startsWith("// biome-ignore"))
      ?.trimEnd()
      .endsWith("*/") ?? false
  );
}

/**
 * Members of an exported interface or options type without a doc comment do not fail the test, but
 * are counted.
 */
it.each(["client", "react"])("every export of @musette/%s has a doc comment", (name) => {
  const all = entries(name).flatMap((entry) =>
    exportsOf(entry).map(([shown, declared, file]) => ({ entry, shown, declared, file })),
  );
  expect(all.length).toBeGreaterThan(40);
  const missing = all
    .filter(({ declared, file }) => !isDocumented(declared, file))
    .map(({ entry, shown }) => `${entry.slice(ROOT.length + 1)}: ${shown}`);
  expect(missing).toEqual([]);
});
