import type { SystemBody } from "./systems-queries";

// The form has a text in every field. An absent member of the API is an empty field.

export interface DataRow {
  readonly category: string;
  readonly source: string;
}

export interface ParameterRow {
  readonly name: string;
  readonly description: string;
}

/** A translation. Its lists always have as many rows as those of the description. */
export interface Translation {
  readonly name: string;
  readonly purpose: string;
  readonly oversight: string;
  readonly data: readonly DataRow[];
  readonly parameters: readonly ParameterRow[];
  readonly decisions: readonly string[];
}

export interface SystemForm extends Translation {
  readonly kind: SystemBody["kind"];
  readonly locale: string;
  readonly markets: string;
  /** The weights of the parameters, in their order. */
  readonly weights: readonly SystemBody["parameters"][number]["weight"][];
  readonly contact: { readonly name: string; readonly email: string; readonly phone: string };
  readonly texts: Readonly<Record<string, Translation>>;
}

export const emptyForm: SystemForm = {
  name: "",
  purpose: "",
  oversight: "",
  data: [],
  parameters: [],
  decisions: [],
  kind: "decision",
  locale: "",
  markets: "",
  weights: [],
  contact: { name: "", email: "", phone: "" },
  texts: {},
};

const EMPTY = {
  data: { category: "", source: "" },
  parameters: { name: "", description: "" },
  decisions: "",
} as const;

export type ListName = keyof typeof EMPTY;

/** Returns a translation without texts, for a description with these lists. */
export function emptyTranslation(form: Translation): Translation {
  return {
    name: "",
    purpose: "",
    oversight: "",
    data: form.data.map(() => EMPTY.data),
    parameters: form.parameters.map(() => EMPTY.parameters),
    decisions: form.decisions.map(() => EMPTY.decisions),
  };
}

/** Adds an empty item to a list of the description and of each translation. */
export function withItem(form: SystemForm, list: ListName): SystemForm {
  const longer = <T extends Translation>(of: T): T => ({
    ...of,
    [list]: [...of[list], EMPTY[list]],
  });
  const weights = list === "parameters" ? [...form.weights, "secondary" as const] : form.weights;
  return { ...longer(form), weights, texts: mapTexts(form, longer) };
}

/** Removes an item from a list of the description and of each translation. */
export function withoutItem(form: SystemForm, list: ListName, place: number): SystemForm {
  const others = (_: unknown, i: number) => i !== place;
  const shorter = <T extends Translation>(of: T): T => ({
    ...of,
    [list]: (of[list] as readonly unknown[]).filter(others),
  });
  const weights = list === "parameters" ? form.weights.filter(others) : form.weights;
  return { ...shorter(form), weights, texts: mapTexts(form, shorter) };
}

function mapTexts(form: SystemForm, change: (of: Translation) => Translation) {
  return Object.fromEntries(Object.entries(form.texts).map(([tag, of]) => [tag, change(of)]));
}

export function formOf(body: SystemBody): SystemForm {
  const own: Translation = {
    name: body.name,
    purpose: body.purpose,
    oversight: body.human_oversight ?? "",
    data: body.data,
    parameters: body.parameters.map(({ name, description }) => ({ name, description })),
    decisions: body.decisions,
  };
  const texts = Object.entries(body.texts).map(([tag, text]) => {
    const empty = emptyTranslation(own);
    const translation: Translation = {
      name: text.name ?? "",
      purpose: text.purpose ?? "",
      oversight: text.human_oversight ?? "",
      data: text.data ?? empty.data,
      parameters: text.parameters ?? empty.parameters,
      decisions: text.decisions ?? empty.decisions,
    };
    return [tag, translation] as const;
  });
  const { name, email, phone } = body.contact;
  return {
    ...own,
    kind: body.kind,
    locale: body.locale ?? "",
    markets: body.markets.join(", "),
    weights: body.parameters.map(({ weight }) => weight),
    contact: { name, email: email ?? "", phone: phone ?? "" },
    texts: Object.fromEntries(texts),
  };
}

const isFilled = (text: string) => text.trim() !== "";

/** Returns the member, or nothing for an empty field. */
const optional = <K extends string>(name: K, text: string) =>
  (isFilled(text) ? { [name]: text.trim() } : {}) as { readonly [key in K]?: string };

export function bodyOf(form: SystemForm): SystemBody {
  const markets = form.markets.split(/[\s,]+/).filter(isFilled);
  const texts = Object.entries(form.texts).map(([tag, of]) => [tag, textOf(of, form)]);
  return {
    name: form.name.trim(),
    purpose: form.purpose.trim(),
    kind: form.kind,
    ...optional("locale", form.locale),
    markets,
    data: form.data,
    parameters: form.parameters.map((row, i) => ({ ...row, weight: form.weights[i] ?? "main" })),
    decisions: form.decisions,
    ...optional("human_oversight", form.oversight),
    contact: {
      name: form.contact.name.trim(),
      ...optional("email", form.contact.email),
      ...optional("phone", form.contact.phone),
    },
    texts: Object.fromEntries(texts),
  };
}

/**
 * Returns a translation for the API. A list without any text is left out; in others, an empty field
 * gets the text of the description, because the API has a text for each item.
 */
function textOf(of: Translation, form: SystemForm): SystemBody["texts"][string] {
  const or = (text: string, own: string | undefined) => (isFilled(text) ? text : (own ?? ""));
  const data = of.data.map(({ category, source }, i) => ({
    category: or(category, form.data[i]?.category),
    source: or(source, form.data[i]?.source),
  }));
  const parameters = of.parameters.map(({ name, description }, i) => ({
    name: or(name, form.parameters[i]?.name),
    description: or(description, form.parameters[i]?.description),
  }));
  const decisions = of.decisions.map((text, i) => or(text, form.decisions[i]));
  return {
    ...optional("name", of.name),
    ...optional("purpose", of.purpose),
    ...(of.data.some((row) => isFilled(row.category + row.source)) && { data }),
    ...(of.parameters.some((row) => isFilled(row.name + row.description)) && { parameters }),
    ...(of.decisions.some(isFilled) && { decisions }),
    ...optional("human_oversight", of.oversight),
  };
}
