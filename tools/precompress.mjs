// Writes `.br` and `.gz` next to each asset that becomes smaller. The server embeds the folder and selects by
// `Accept-Encoding`, so it never compresses the same bytes twice.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const TEXT = new Set([".html", ".js", ".mjs", ".css", ".svg", ".webmanifest", ".wasm"]);

const dist = resolve(process.argv[2] ?? "dist");
for (const name of await readdir(dist, { recursive: true })) {
  if (!TEXT.has(extname(name))) continue;
  const file = join(dist, name);
  const bytes = await readFile(file);
  // Brotli uses its highest quality by default, gzip does not.
  const encoded = { br: brotliCompressSync(bytes), gz: gzipSync(bytes, { level: 9 }) };
  for (const [suffix, smaller] of Object.entries(encoded)) {
    if (smaller.length < bytes.length) await writeFile(`${file}.${suffix}`, smaller);
  }
}
