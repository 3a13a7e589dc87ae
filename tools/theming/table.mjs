// Generates the tables of docs/theming.md from the style sheet: `node tools/theming/table.mjs`.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { meanings } from "./meanings.mjs";

const page = new URL("../../docs/theming.md", import.meta.url);
const sheet = new URL("../../packages/react/src/theme/tokens.css", import.meta.url);
const STATUS = /^--mu-color-(shift|evaluation|quest)-(.+?)(-tint)?$/;

/** Maps a property's name to [light or only value, dark value]. */
function properties() {
  const [first, schemes] = readFileSync(sheet, "utf8").split("@supports");
  const declared = (css) =>
    Array.from(css.matchAll(/(--mu-[\w-]+):\s*([^;]+);/g), ([, name, value]) => [name, value]);
  const values = new Map(declared(first).map(([name, value]) => [name, [value]]));
  for (const [name, value] of declared(schemes)) {
    values.set(name, value.match(/^light-dark\((.+), (.+)\)$/).slice(1));
  }
  return values;
}

function general(found) {
  const undocumented = [...found.keys()].filter((name) => !meanings[name] && !STATUS.test(name));
  if (undocumented.length > 0) throw new Error(`describe in meanings.mjs: ${undocumented}`);
  const rows = Object.entries(meanings).map(([name, meaning]) => {
    const values = found.get(name);
    if (!values) throw new Error(`${name} is not in the style sheet`);
    return `| \`${name}\` | ${values.map((value) => `\`${value}\``).join(" · ")} | ${meaning} |`;
  });
  return ["| Property | Default (light · dark) | Purpose |", "|---|---|---|", ...rows].join("\n");
}

function statuses(found) {
  const rows = [...found]
    .filter(([name]) => STATUS.test(name) && !name.endsWith("-tint"))
    .map(([name, values]) => {
      const cell = (values) => values.map((value) => `\`${value}\``).join(" · ");
      return `| \`${name}\` | ${cell(values)} | ${cell(found.get(`${name}-tint`))} |`;
    });
  return [
    "| Property | Colour (light · dark) | Background, `…-tint` |",
    "|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Returns the page with newly generated tables. */
export function theming() {
  const declared = properties();
  return [
    ["general", general(declared)],
    ["statuses", statuses(declared)],
  ].reduce(
    (text, [name, table]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(\\n<!-- end -->)`),
        (_, start, end) => start + table + end,
      ),
    readFileSync(page, "utf8"),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, theming());
