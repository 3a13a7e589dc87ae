// Checks the licences of all crates and npm packages against a short list, so that everything we
// ship may be used commercially and redistributed. Test dependencies must pass as well: it is
// simpler, and they may be shipped later.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "Apache-2.0 WITH LLVM-exception",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BSL-1.0",
  "CC-BY-4.0",
  "CC0-1.0",
  "CDLA-Permissive-2.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "PSF-2.0",
  "Python-2.0",
  "Unicode-3.0",
  "Unlicense",
  "Zlib",
]);

// Packages whose manifest names no licence, and where it is stated.
const readByHand = new Map([
  ["npm:@openfeature/ofrep-core", "Apache-2.0"], // Its LICENSE file.
  ["npm:@openfeature/ofrep-provider", "Apache-2.0"], // In its repository; used by tests only.
]);

/** Evaluates an SPDX expression with AND, OR and parentheses; some crates still write "/" for OR. */
function permits(expression) {
  const words = expression
    .replaceAll("/", " OR ")
    .replace(/ WITH /g, "\u0000WITH\u0000")
    .match(/[()]|[^\s()]+/g)
    ?.map((word) => word.replaceAll("\u0000", " "));
  if (!words) return false;
  function any() {
    let value = all();
    while (words[0] === "OR") {
      words.shift();
      const other = all();
      value ||= other;
    }
    return value;
  }
  function all() {
    let value = one();
    while (words[0] === "AND") {
      words.shift();
      const other = one();
      value &&= other;
    }
    return value;
  }
  function one() {
    const word = words.shift();
    if (word !== "(") return allowed.has(word);
    const value = any();
    words.shift();
    return value;
  }
  return any() && words.length === 0;
}

function* crates() {
  const args = ["metadata", "--format-version", "1", "--locked", "--all-features"];
  const text = execFileSync("cargo", args, { cwd: root, maxBuffer: 2 ** 28, encoding: "utf8" });
  for (const { name, version, license, source } of JSON.parse(text).packages) {
    if (source) yield { id: `crate:${name}`, version, licence: license };
  }
}

function* packages() {
  const lock = JSON.parse(readFileSync(new URL("package-lock.json", root), "utf8"));
  for (const [path, { version, license, link }] of Object.entries(lock.packages)) {
    const name = path.split("node_modules/").at(-1);
    if (path.includes("node_modules/") && !link)
      yield { id: `npm:${name}`, version, licence: license };
  }
}

let count = 0;
const refused = [];
for (const { id, version, licence } of [...crates(), ...packages()]) {
  count += 1;
  const licenceText = licence ?? readByHand.get(id);
  if (!licenceText || !permits(licenceText))
    refused.push(`${id} ${version}: ${licenceText ?? "no licence"}`);
}
console.log(`${count} dependencies, ${refused.length} with a licence that is not on the list`);
for (const line of refused) console.error(`  ${line}`);
process.exit(refused.length > 0 || count === 0 ? 1 : 0);
