import type { Condition, Json, Rule, Serve } from "../document/document";
import type { Describer } from "./describer";

const isPlace = (text: string | undefined) => text !== undefined && /^\d+$/.test(text);

/**
 * Describes a member of a flag, segment or holdout. Its type follows only from its position, never
 * from its content: the keys of variations and the values of JSON flags may look like a condition.
 */
export function describeMember(pointer: string, member: unknown, describer: Describer): string {
  const { texts } = describer;
  const rule = ({ when, serve }: Rule) =>
    texts.ifThen(describer.condition(when), describer.serve(serve));
  if (typeof member === "string") return member;
  if (typeof member !== "object" || member === null) return describer.value(member as Json);
  const places = pointer.split("/").slice(3);
  const [name, list] = [places.at(-1), places.at(-2)];
  if (!places.includes("value")) {
    if (Array.isArray(member) && member.length === 0) return texts.none;
    if (name === "rules") return (member as readonly Rule[]).map(rule).join("; ");
    if (list === "rules" && isPlace(name)) return rule(member as Rule);
    if (name === "when" || name === "match") return describer.condition(member as Condition);
    if (name === "serve") return describer.serve(member as Serve);
    if (name === "experiment" || name === "rollout")
      return describer.serve({ [name]: member } as Serve);
    if (name === "tags") return (member as readonly string[]).join(texts.comma);
    if (name === "variations") {
      const all = member as readonly { readonly key: string; readonly value: Json }[];
      return all.map(({ key, value }) => `${key}: ${describer.value(value)}`).join("; ");
    }
  }
  return JSON.stringify(member);
}

/**
 * Names the position of a value within its object. The first three parts of the JSON pointer name
 * the object.
 */
export function describePosition(pointer: string, { texts }: Describer): string {
  const [, , , ...rest] = pointer.split("/");
  const named = (name: string) => texts.fields[name as "on"] ?? name;
  const [first = "", at, ...inner] = rest;
  if (first === "rules" && isPlace(at)) {
    const rule = texts.rule(String(Number(at) + 1), "");
    return inner.length === 0 ? rule : texts.within(rule, inner.map(named).join(" / "));
  }
  // An element of a list, counted from 1. A position inside a flag's value belongs to the
  // application, so it is not translated.
  if (isPlace(at) && inner.length === 0 && first !== "value") {
    return `${named(first.replace(/s$/, ""))} ${Number(at) + 1}`;
  }
  return rest.map(named).join(" / ");
}
