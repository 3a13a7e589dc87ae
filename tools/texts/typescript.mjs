// Generates TypeScript from a catalogue: one module per language, and the types that follow from English.
import { argumentsOf, parse } from "./message.mjs";
import { visible } from "./visible.mjs";

const HEAD = (from) => `// Generated from ${from} by tools/texts. Do not edit.\n`;

/** @returns {Map<string, string>} files by name */
export function typescript(languages, rightToLeft) {
  const english = languages.get("en");
  const signatures = new Map(
    [...english.messages].map(([key, text]) => [key, signature(text, english.about.get(key))]),
  );
  const files = new Map([["generated/texts.ts", types(english, signatures)]]);
  for (const [tag, { messages }] of languages) {
    // A missing message is replaced by the English one, so that development can continue. The check reports it.
    const whole = [...english.messages].map(([key, text]) => [key, messages.get(key) ?? text]);
    const dir = rightToLeft.has(tag) ? "rtl" : "ltr";
    if (tag !== "en") {
      files.set(
        `generated/${tag}.ts`,
        language({ tag, dir, name: tag, messages: whole, signatures }),
      );
      continue;
    }
    const parts = new Map([["en", []]]);
    for (const entry of whole) {
      const part = partOf(entry[0], english.head["@@x-parts"]);
      const name = part ? `en-${part}` : "en";
      parts.set(name, [...(parts.get(name) ?? []), entry]);
    }
    for (const [name, some] of parts) {
      const partial = parts.size > 1;
      files.set(
        `generated/${name}.ts`,
        language({ tag, dir: name === "en" && dir, name, messages: some, signatures, partial }),
      );
    }
  }
  return files;
}

/** English may be divided into parts. Each is a module that is loaded with the code that shows it. */
function partOf(key, parts = {}) {
  const within = (path) => key === path || key.startsWith(`${path}.`);
  return Object.keys(parts).find((name) => parts[name].some(within));
}

/** Returns the arguments of a function, in the order in which English declares them. */
function signature(text, about) {
  const parameters = argumentsOf(parse(text));
  const order = Object.keys(about?.placeholders ?? {});
  return [...parameters.keys()]
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
    .map((name) => ({ name, type: isNumber(name, parameters, about) ? "number" : "string" }));
}

const isNumber = (name, found, about) =>
  found.get(name) || about?.placeholders?.[name]?.type === "int";

function types(english, signatures) {
  const tree = nest([...english.messages.keys()].map((key) => [key, key]));
  const type = (key) => {
    const list = signatures.get(key);
    if (!list.length) return "string";
    return `(${list.map(({ name, type }) => `${name}: ${type}`).join(", ")}) => string`;
  };
  const doc = (key) => english.about.get(key)?.description;
  return `${HEAD("en.arb")}
/** Every word of this catalogue. A language is one object of this shape. */
export interface Texts {
  /** The language of these words, as BCP 47 has it. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
${shape(tree, type, doc, "  ")}}
`;
}

function shape(tree, type, doc, indent) {
  let text = "";
  for (const [name, value] of tree) {
    const about = typeof value === "string" ? doc(value) : undefined;
    if (about) text += `${indent}/** ${about} */\n`;
    text += `${indent}readonly ${property(name)}: `;
    if (typeof value === "string") text += `${type(value)};\n`;
    else if (isList(value)) text += `readonly [${[...value.values()].map(type).join(", ")}];\n`;
    else text += `{\n${shape(value, type, doc, `${indent}  `)}${indent}};\n`;
  }
  return text;
}

function language({ tag, dir, name, messages, signatures, partial = false }) {
  const used = new Set();
  const value = ([key, text]) => expression(text, signatures.get(key), tag, used);
  const body = object(nest(messages.map((entry) => [entry[0], value(entry)])), "  ", partial);
  const identifier =
    tag !== "en" ? "texts" : name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
  const head = dir
    ? `  lang: ${JSON.stringify(tag)},\n  dir: "${dir}"${partial ? " as const" : ""},\n`
    : "";
  const tools = [
    used.has("rules") ? `const rules = new Intl.PluralRules("${tag}");\n` : "",
    used.has("numbers") ? `const numbers = new Intl.NumberFormat("${tag}");\n` : "",
  ].join("");
  const annotation = partial ? "" : ": Texts";
  return visible(
    [
      HEAD(`${tag}.arb`),
      partial ? "" : 'import type { Texts } from "./texts";\n',
      tools && `\n${tools}`,
      `\n/** The words of ${tag}.arb${partial ? `, as far as its part "${name}" goes` : ""}. */\nexport const ${identifier}${annotation} = {\n${head}${body}};\n`,
    ].join(""),
  );
}

/** Returns a list. The type of a part is not declared, so the list itself must fix its length. */
function object(tree, indent, partial) {
  let text = "";
  for (const [name, value] of tree) {
    text += `${indent}${property(name)}: `;
    if (typeof value === "string") text += `${value},\n`;
    else if (isList(value))
      text += `[${[...value.values()].join(", ")}]${partial ? " as const" : ""},\n`;
    else text += `{\n${object(value, `${indent}  `, partial)}${indent}},\n`;
  }
  return text;
}

/** Returns a message as an expression: a string, or a function of its arguments. */
function expression(text, list, tag, used) {
  const parts = parse(text);
  if (!list.length) return JSON.stringify(parts.join(""));
  const numbers = new Set(list.filter(({ type }) => type === "number").map(({ name }) => name));
  const mentioned = argumentsOf(parts);
  // An argument that the language does not use, such as the number in "both", remains as an unused parameter.
  const parameters = list.map(
    ({ name, type }) => `${mentioned.has(name) ? "" : "_"}${name}: ${type}`,
  );
  return `(${parameters.join(", ")}) => ${code(parts, numbers, tag, used)}`;
}

function code(parts, numbers, tag, used) {
  if (parts.length === 1 && parts[0].plural) return choice(parts[0], numbers, tag, used);
  const inside = parts.map((part) => {
    if (typeof part === "string") return part.replace(/[`\\]|\$(?=\{)/g, "\\$&");
    if (part.plural) return `\${${choice(part, numbers, tag, used)}}`;
    if (!numbers.has(part.argument)) return `\${${part.argument}}`;
    used.add("numbers");
    return `\${numbers.format(${part.argument})}`;
  });
  return `\`${inside.join("")}\``;
}

function choice({ plural, forms }, numbers, tag, used) {
  let text = "";
  for (const [form, parts] of forms) {
    if (form === "other") continue;
    const exact = form.startsWith("=") ? Number(form.slice(1)) : onlyNumber(tag, form);
    if (exact === undefined) used.add("rules");
    const test =
      exact === undefined ? `rules.select(${plural}) === "${form}"` : `${plural} === ${exact}`;
    const adapted = parts.map((part) =>
      exact !== undefined && part.argument === plural ? digits(tag, exact) : part,
    );
    text += `${test} ? ${code(adapted, numbers, tag, used)} : `;
  }
  return text + code(forms.get("other"), numbers, tag, used);
}

const digits = (tag, number) => new Intl.NumberFormat(tag).format(number);

const onlyNumbers = new Map();

/** Returns the only number of a form, as in "1 document", for which no plural rules are needed. */
function onlyNumber(tag, form) {
  const key = `${tag} ${form}`;
  if (!onlyNumbers.has(key)) onlyNumbers.set(key, findOnlyNumber(tag, form));
  return onlyNumbers.get(key);
}

function findOnlyNumber(tag, form) {
  const rules = new Intl.PluralRules(tag);
  const numbers = Array.from({ length: 10_001 }, (_, n) => n).filter(
    (n) => rules.select(n) === form,
  );
  return numbers.length === 1 && rules.select(1_000_000) !== form ? numbers[0] : undefined;
}

/** Returns keys with dots as a tree. */
function nest(entries) {
  const root = new Map();
  for (const [key, value] of entries) {
    const names = key.split(".");
    const last = names.pop();
    let at = root;
    for (const name of names) {
      if (!at.has(name)) at.set(name, new Map());
      at = at.get(name);
    }
    at.set(last, value);
  }
  return root;
}

const isList = (tree) => [...tree.keys()].every((name) => /^\d+$/.test(name));
const property = (name) => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name));
