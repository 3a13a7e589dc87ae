// Adds file extensions to the imports in declaration files. Node requires them, TypeScript copies the imports
// unchanged, and our sources omit them because the bundler resolves them.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const folder = process.argv[2];
if (!folder) throw new Error("usage: declarations.mjs DIST");

function withExtension(file, specifier) {
  const target = join(dirname(file), specifier);
  if (existsSync(`${target}.d.ts`)) return `${specifier}.js`;
  if (existsSync(join(target, "index.d.ts"))) return `${specifier}/index.js`;
  throw new Error(`${file}: nothing declares ${specifier}`);
}

for (const name of readdirSync(folder, { recursive: true }).map(String)) {
  if (!name.endsWith(".d.ts")) continue;
  const file = join(folder, name);
  const text = readFileSync(file, "utf8");
  const updated = text.replace(
    /((?:from|import) |import\()"(\.[^"]*?)"/g,
    (whole, before, specifier) =>
      /\.(js|css)$/.test(specifier) ? whole : `${before}"${withExtension(file, specifier)}"`,
  );
  if (updated !== text) writeFileSync(file, updated);
}
