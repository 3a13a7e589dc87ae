// Reads headers and code blocks from the docs, so that the test application uses exactly those.
import { readFileSync } from "node:fs";

const text = readFileSync(new URL("../../docs/embedding.md", import.meta.url), "utf8");

/**
 * Returns the headers in the fenced block after `<!-- name -->`. An indented line continues the
 * previous one.
 */
function headers(name) {
  const block = text.match(new RegExp(`<!-- ${name} -->\\n\`\`\`http\\n([\\s\\S]*?)\`\`\``))?.[1];
  if (!block) throw new Error(`docs/embedding.md has no block of headers named "${name}"`);
  return block
    .replace(/\n\s+/g, " ")
    .trim()
    .split("\n")
    .map((line) => line.split(/: (.*)/, 2));
}

/** Returns the text of the fenced block after `<!-- name -->`. */
export function block(name) {
  const content = text.match(new RegExp(`<!-- ${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``))?.[1];
  if (!content) throw new Error(`docs/embedding.md has no block named "${name}"`);
  return content;
}

export function headersInDocs() {
  const policy = (name) =>
    headers(name).find(([header]) => header === "Content-Security-Policy")[1];
  return {
    pagePolicy: policy("policy of the page"),
    framePolicy: policy("policy of the frame"),
    cors: headers("cors"),
    preflight: headers("preflight"),
  };
}

const flags = readFileSync(new URL("../../docs/flags.md", import.meta.url), "utf8");

/** Returns each code block that names its file, and its text. */
export function quotes() {
  const matches = (text + flags).matchAll(/<!-- (host\/\S+) -->\n```\w+\n([\s\S]*?)```/g);
  return Array.from(matches, ([, file, quoted]) => ({ file, quoted }));
}
