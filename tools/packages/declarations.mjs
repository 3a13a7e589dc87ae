// Node resolves no import without its extension, and TypeScript writes into declarations what the
// source says. Our source leaves extensions to the bundler, so they are added here.
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
  const done = text.replace(
    /((?:from|import) |import\()"(\.[^"]*?)"/g,
    (whole, before, specifier) =>
      /\.(js|css)$/.test(specifier) ? whole : `${before}"${withExtension(file, specifier)}"`,
  );
  if (done !== text) writeFileSync(file, done);
}
