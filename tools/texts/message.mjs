// The part of ICU MessageFormat that the catalogues use: {name}, {n, number}, {n, plural, …}, #.

/**
 * @typedef {string | {argument: string, number: boolean} | {plural: string, forms: Map<string, Part[]>}} Part
 */

/**
 * Reads a message.
 *
 * @param {string} text
 * @returns {Part[]}
 */
export function parse(text) {
  const reader = { text, at: 0 };
  const parts = sequence(reader, undefined);
  if (reader.at < text.length) throw new Error(`"}" without "{": ${text}`);
  return parts;
}

/** Returns the arguments of a message in order, each with whether it is a number. */
export function argumentsOf(parts, found = new Map()) {
  for (const part of parts) {
    if (typeof part === "string") continue;
    if (!part.plural) {
      found.set(part.argument, part.number || found.get(part.argument) === true);
      continue;
    }
    found.set(part.plural, true);
    for (const form of part.forms.values()) argumentsOf(form, found);
  }
  return found;
}

/** Returns every plural of a message. */
export function pluralsOf(parts) {
  return parts.flatMap((part) =>
    part.forms ? [part, ...[...part.forms.values()].flatMap(pluralsOf)] : [],
  );
}

function sequence(reader, plural) {
  const parts = [];
  let words = "";
  const end = () => {
    if (words) parts.push(words);
    words = "";
  };
  for (;;) {
    const { text, at } = reader;
    const letter = text[at];
    if (letter === undefined || letter === "}") break;
    reader.at += 1;
    if (letter === "'") {
      words += quoted(reader, plural);
    } else if (letter === "{") {
      end();
      parts.push(argument(reader));
    } else if (letter === "#" && plural) {
      end();
      parts.push({ argument: plural, number: true });
    } else {
      words += letter;
    }
  }
  end();
  return parts;
}

/** Reads a quotation. As by default in ICU, an apostrophe only quotes before a syntax character. */
function quoted(reader, plural) {
  const { text, at } = reader;
  if (text[at] === "'") {
    reader.at += 1;
    return "'";
  }
  if (!text[at] || !(plural ? "{}#" : "{}").includes(text[at])) return "'";
  const close = text.indexOf("'", at + 1);
  if (close < 0) throw new Error(`A quotation does not end: ${text}`);
  reader.at = close + 1;
  return text.slice(at, close);
}

function argument(reader) {
  const head = /^\s*(\w+)\s*(?:,\s*(number|plural)\s*)?([,}])/.exec(reader.text.slice(reader.at));
  if (!head) throw new Error(`Not an argument at ${reader.at}: ${reader.text}`);
  const [all, name, kind, end] = head;
  reader.at += all.length;
  if (kind === "plural" && end === ",") return { plural: name, forms: forms(reader, name) };
  if (kind === "plural" || end === ",") throw new Error(`{${name}} is not understood`);
  return { argument: name, number: kind === "number" };
}

function forms(reader, name) {
  const formsByKeyword = new Map();
  for (;;) {
    const rest = reader.text.slice(reader.at);
    const end = /^\s*\}/.exec(rest);
    if (end) {
      reader.at += end[0].length;
      if (!formsByKeyword.has("other")) throw new Error(`No form "other": ${reader.text}`);
      return formsByKeyword;
    }
    const head = /^\s*(=\d+|[a-z]+)\s*\{/.exec(rest);
    if (!head) throw new Error(`Not a plural form at ${reader.at}: ${reader.text}`);
    if (formsByKeyword.has(head[1])) throw new Error(`The form "${head[1]}" twice: ${reader.text}`);
    reader.at += head[0].length;
    formsByKeyword.set(head[1], sequence(reader, name));
    if (reader.text[reader.at] !== "}")
      throw new Error(`A plural form does not end: ${reader.text}`);
    reader.at += 1;
  }
}
