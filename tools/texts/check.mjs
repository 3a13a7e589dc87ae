// Finds errors in the catalogues. Each finding is one sentence.
import { current, generated, LANGUAGES, readCatalogue } from "./catalogues.mjs";
import { argumentsOf, parse, pluralsOf } from "./message.mjs";

/** Languages with a script that English does not use: a message without that script is not translated. */
const SCRIPTS = {
  ar: /\p{Script=Arabic}/u,
  ur: /\p{Script=Arabic}/u,
  th: /\p{Script=Thai}/u,
  bn: /\p{Script=Bengali}/u,
};

export function findings(catalogue) {
  const languages = readCatalogue(catalogue);
  const english = languages.get("en");
  const errors = LANGUAGES.filter((tag) => !languages.has(tag)).map((tag) => `${tag} lacks a file`);
  for (const [tag, { head, messages }] of languages) {
    if (head["@@locale"] !== tag) errors.push(`${tag} says that it is ${head["@@locale"]}`);
    for (const key of english.messages.keys()) {
      if (!messages.has(key)) errors.push(`${tag} lacks ${key}`);
    }
    for (const [key, text] of messages) {
      const source = english.messages.get(key);
      const wrong =
        source === undefined
          ? ["is not in English"]
          : inMessage(tag, source, english.about.get(key), text);
      errors.push(...wrong.map((what) => `${tag} ${key} ${what}: ${text}`));
    }
  }
  for (const [path, text] of generated(catalogue)) {
    if (!current(path, text)) errors.push(`${path} is not what its catalogue gives: npm run texts`);
  }
  return errors.map((what) => `${catalogue.name}: ${what}`);
}

function inMessage(tag, source, about, text) {
  let parts;
  try {
    parts = parse(text);
  } catch (error) {
    return [error.message];
  }
  return [
    ...placeholders(parse(source), about, parts),
    ...plurals(tag, parts),
    ...signs(source, text),
    ...language(tag, source, text),
  ];
}

function placeholders(source, about, parts) {
  const [wanted, own] = [argumentsOf(source), argumentsOf(parts)];
  const lost = [...wanted.keys()].filter((name) => !own.has(name));
  const surplus = [...own.keys()].filter((name) => !wanted.has(name));
  return [
    ...lost.map((name) => `has lost {${name}}`),
    ...surplus.map((name) => `has {${name}}, which English has not`),
    ...pluralsOf(parts)
      .filter(({ plural }) => !wanted.get(plural) && about?.placeholders?.[plural]?.type !== "int")
      .map(({ plural }) => `counts {${plural}}, which is not a number`),
  ];
}

function plurals(tag, parts) {
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
  return pluralsOf(parts).flatMap(({ forms }) => [
    ...categories.filter((form) => !forms.has(form)).map((form) => `lacks the form "${form}"`),
    ...[...forms.keys()]
      .filter((form) => !form.startsWith("=") && !categories.includes(form))
      .map((form) => `has the form "${form}", which the language has not`),
  ]);
}

const edge = (text) => [/^\s*/.exec(text)[0], /\s*$/.exec(text)[0]].join("|");

function signs(source, text) {
  return [
    ...(text.trim() ? [] : ["is empty"]),
    ...(edge(source) === edge(text) ? [] : ["begins or ends with other spaces than English"]),
    ...(/['"]/.test(text) ? ["has a typewriter’s quotation mark"] : []),
  ];
}

function language(tag, source, text) {
  if (tag === "en" || !/\p{L}/u.test(source.replace(/\{\w+\}/g, ""))) return [];
  if (SCRIPTS[tag] && !SCRIPTS[tag].test(text)) return ["is not in the script of its language"];
  const sentence = source.split(" ").length > 3;
  return sentence && text === source ? ["is English"] : [];
}
