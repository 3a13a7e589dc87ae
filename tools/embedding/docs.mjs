// What docs/embedding.md tells a host to send is what the test app sends.
import { readFileSync } from "node:fs";

const text = readFileSync(new URL("../../docs/embedding.md", import.meta.url), "utf8");

/** The headers of the fenced block below `<!-- name -->`; an indented line goes on with the one above. */
function headers(name) {
  const block = text.match(new RegExp(`<!-- ${name} -->\\n\`\`\`http\\n([\\s\\S]*?)\`\`\``))?.[1];
  if (!block) throw new Error(`docs/embedding.md has no block of headers named "${name}"`);
  return block
    .replace(/\n\s+/g, " ")
    .trim()
    .split("\n")
    .map((line) => line.split(/: (.*)/, 2));
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

/** Each block that says from which file it is, with what it quotes. */
export function quotes() {
  const found = (text + flags).matchAll(/<!-- (host\/\S+) -->\n```\w+\n([\s\S]*?)```/g);
  return Array.from(found, ([, file, quoted]) => ({ file, quoted }));
}
