// Writes crates/core/src/markets/codes.txt from CLDR's data: `node tools/markets/codes.mjs DIR`, where DIR is an unpacked
// npm package `cldr-core`. The generated file is committed: CLDR changes twice a year, and no build needs the package.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [directory] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(join(directory, file), "utf8"));
const { version } = read("package.json");
const territories = Object.keys(read("supplemental/territoryInfo.json").supplemental.territoryInfo);
const contained = read("supplemental/subdivisionContainment.json").supplemental
  .subdivisionContainment;

// CLDR's own codes: exceptionally reserved by ISO 3166-1, or for an unknown region.
const NOT_ISO = new Set(["AC", "CP", "CQ", "DG", "EA", "IC", "TA", "ZZ"]);
const countries = territories
  .filter((code) => /^[A-Z]{2}$/.test(code) && !NOT_ISO.has(code))
  .sort();

function subdivisions(code) {
  const inside = (contained[code]?._contains ?? []).flatMap((part) => [
    part,
    ...subdivisions(part),
  ]);
  return [...new Set(inside)];
}

const lines = countries.map((country) => {
  const codes = subdivisions(country).map((code) => code.slice(2).toUpperCase());
  return [country, ...codes.sort()].join(" ");
});
const head = [
  `# Countries (ISO 3166-1 alpha-2) with their subdivisions (ISO 3166-2), from CLDR: npm cldr-core ${version}.`,
  "# Made by tools/markets/codes.mjs. Copyright 2004-2026 Unicode, Inc.; licence Unicode-3.0, see LICENSE-unicode.txt.",
];
const file = new URL("../../crates/core/src/markets/codes.txt", import.meta.url);
writeFileSync(file, `${[...head, ...lines].join("\n")}\n`);
