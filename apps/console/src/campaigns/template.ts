/** The placeholders of the texts. The server replaces them in each message. */
export const PLACEHOLDERS = ["name", "title", "link", "deadline"] as const;

export type Values = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>;

/** A pair of braces with its content. A pair that is not closed contains the rest, as on the server. */
const BRACES = /\{\{([\s\S]*?)(?:\}\}|$)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these would add headers to an e-mail
const BREAKS = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g;
/** Marks that change the direction of the following text. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/g;

const isPlaceholder = (name: string): name is keyof Values =>
  (PLACEHOLDERS as readonly string[]).includes(name);

/** Returns the first placeholder that does not exist. */
export function unknownPlaceholder(text: string): string | undefined {
  for (const [, name = ""] of text.matchAll(BRACES)) if (!isPlaceholder(name)) return name;
  return undefined;
}

/** Replaces the placeholders by the rules of the server. Those inside of a value remain. */
export const fill = (text: string, values: Values): string =>
  text.replace(BRACES, (_, name: string) =>
    isPlaceholder(name) ? values[name].replace(BREAKS, " ").replace(DIRECTIONS, "") : "",
  );
