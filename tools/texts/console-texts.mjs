// Reads the texts of the console: apps/console/src/**/texts/*.ts.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "rolldown/utils";

const FOLDER = join(import.meta.dirname, "../../apps/console/src");
const FOLDERS = /(^|\/)texts\/en\.ts$/;

/** The languages of the console except English, which is the source. */
export const TRANSLATIONS = ["ar", "de", "es", "fr", "pt"];

/** Returns the folders with texts, such as `terms/coverage`, in alphabetical order. */
export function pages() {
  return readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((file) => FOLDERS.test(file))
    .map((file) => file.replace(/\/?texts\/en\.ts$/, ""))
    .sort();
}

/** Reads the texts of a page in one language, by key. */
export function readPage(page, tag) {
  const file = join(FOLDER, page, "texts", `${tag}.ts`);
  return textsIn(file, readFileSync(file, "utf8"));
}

/**
 * Returns the texts of a source file by key. A text is the words without code, so that a reformatted file
 * and a renamed parameter change nothing. Keys that contain no letters, such as separators, are left out.
 */
export function textsIn(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length) throw new Error(`${file}: ${errors[0].message}`);
  const texts = new Map();
  for (const statement of program.body) {
    const exported = statement.type === "ExportNamedDeclaration";
    const declaration = exported ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration") continue;
    for (const { id, init } of declaration.declarations) {
      // The key of a text in a helper object starts with the name of the object.
      add(texts, exported ? "" : id.name, init);
    }
  }
  return texts;
}

function add(texts, key, node) {
  const value = bare(node);
  if (value?.type !== "ObjectExpression") {
    const text = value ? wordsOf(value) : "";
    if (/\p{L}/u.test(text)) texts.set(key, text);
    return;
  }
  for (const property of value.properties) {
    if (property.type !== "Property") continue;
    const name = property.key.name ?? String(property.key.value);
    add(texts, key ? `${key}.${name}` : name, property.value);
  }
}

/** Removes type assertions and parentheses around an expression. */
function bare(node) {
  const wrapped = /^(TSAsExpression|TSSatisfiesExpression|ParenthesizedExpression)$/;
  return node && wrapped.test(node.type) ? bare(node.expression) : node;
}

/** Returns the literals of an expression in their order. `{}` separates them. */
function wordsOf(node) {
  const words = [];
  const program = { type: "Program", body: [{ type: "ExpressionStatement", expression: node }] };
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === "string") words.push(value);
    },
    TemplateElement: ({ value }) => words.push(value.cooked ?? value.raw),
  }).visit(program);
  return words.join("{}");
}
