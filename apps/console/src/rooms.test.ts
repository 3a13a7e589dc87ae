import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";

/**
 * The folders of the console, lowest layer first. A folder imports only from lower layers: not from
 * another folder of its layer, and not from a higher one, so there is no cycle.
 */
const LAYERS = [
  ["storage"],
  ["language", "session"],
  ["api", "appearance"],
  ["ui"],
  ["chart", "routes", "table"],
  ["keyboard"],
  ["export", "toast"],
  ["configuration/texts"],
  ["configuration/document"],
  ["markets"],
  ["grants"],
  ["configuration/save"],
  ["configuration/review"],
  ["configuration/conditions", "configuration/drafts"],
  ["configuration/metrics"],
  ["configuration"],
  ["results"],
  // The leaves: one subject each.
  ["flags", "experiments", "holdouts", "segments", "metrics", "environments"],
  ["terms", "consents", "systems", "evaluations", "audit", "sign-in"],
  ["account"],
  ["approvals", "campaigns", "restrictions"],
  ["reports"],
  // These show lists from other folders.
  ["people", "overview", "service-keys", "webhooks"],
  ["settings"],
  ["palette"],
  ["shell"],
  ["router"],
];

/** This list may only become shorter. */
const EXCEPTIONS: readonly string[] = [];

const ROOT = import.meta.dirname;
const IMPORT = /(?:\bfrom|\bimport|@import|\bimport\()\s*"(\.[^"]+)"/g;

function folderOf(file: string): string {
  const [first = "", second = "", ...rest] = file.split("/");
  if (second === "") return "router";
  return first === "configuration" && rest.length > 0 ? `${first}/${second}` : first;
}

const folders = LAYERS.flat();
const height = (folder: string) => LAYERS.findIndex((line) => line.includes(folder));

const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.(tsx?|css)$/.test(file),
);

it("assigns every folder to a layer", () => {
  expect(new Set(files.map(folderOf))).toEqual(new Set(folders));
});

it("lets a folder import only from lower layers", () => {
  const wrong = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(IMPORT)].flatMap(([, path = ""]) => {
      const imported = relative(ROOT, join(ROOT, dirname(file), path));
      const [from, to] = [folderOf(file), folderOf(imported)];
      const isOutside = imported.startsWith("..");
      return isOutside || from === to || height(to) < height(from) ? [] : [`${file} → ${imported}`];
    }),
  );
  expect(wrong).toEqual(EXCEPTIONS);
});

// A class that no sheet declares has no effect and causes no error, so CSS modules are imported by
// name.
it("uses only the global classes of the base sheet and of the packages", () => {
  const base = readFileSync(join(ROOT, "app.css"), "utf8");
  const declared = new Set([...base.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name));
  const unknown = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/\bclassName=\{?("[^"]*"|`[^`]*`)/g)]
      .flatMap(([, names = ""]) =>
        names
          .slice(1, -1)
          .replace(/\$\{[^}]*\}/g, " ")
          .split(/\s+/),
      )
      .filter((name) => name !== "" && !name.startsWith("mu-") && !declared.has(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

it("has one global sheet", () => {
  expect(files.filter((file) => /(?<!\.module)\.css$/.test(file))).toEqual(["app.css"]);
});
