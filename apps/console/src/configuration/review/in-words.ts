import type { Condition, Json, Rule, Serve } from "../document/document";
import type { Teller } from "./teller";

/** Describes a member of a flag, segment or holdout by what it looks like; JSON where it looks like nothing known. */
export function inWords(it: unknown, teller: Teller): string {
  const { words } = teller;
  if (Array.isArray(it)) {
    return it.length === 0 ? words.none : it.map((each) => inWords(each, teller)).join("; ");
  }
  if (typeof it === "string") return it;
  if (typeof it !== "object" || it === null) return teller.value(it as Json);
  const has = (...names: readonly string[]) => names.every((name) => name in it);
  if (has("when", "serve")) {
    const { when, serve } = it as Rule;
    return words.ifThen(teller.condition(when), teller.serve(serve));
  }
  if (has("rollout") || has("experiment")) return teller.serve(it as Serve);
  if (has("weights", "bucketVersion")) return teller.serve({ experiment: it } as Serve);
  if (["attr", "segment", "all", "any", "not"].some((name) => has(name))) {
    return teller.condition(it as Condition);
  }
  if (has("key", "value") && Object.keys(it).length === 2) {
    const { key, value } = it as { readonly key: string; readonly value: Json };
    return `${key}: ${teller.value(value)}`;
  }
  if (has("variation") && Object.keys(it).length === 1) return teller.serve(it as Serve);
  return JSON.stringify(it);
}

/** Names the place of a value within its object: a JSON pointer, the first three parts of which name the object. */
export function placeInWords(pointer: string, { words }: Teller): string {
  const [, , , ...rest] = pointer.split("/");
  const named = (name: string) => words.fields[name as "on"] ?? name;
  const [first = "", at, ...inner] = rest;
  if (first === "rules" && at && /^\d+$/.test(at)) {
    const rule = words.rule(String(Number(at) + 1), "");
    return inner.length === 0 ? rule : words.within(rule, inner.map(named).join(" / "));
  }
  return rest.map(named).join(" / ");
}
