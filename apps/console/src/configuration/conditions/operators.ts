import type {
  Attribute,
  AttributeType,
  FlagsDocument,
  Json,
  Operator,
  Test,
} from "../document/document";

const TEXT: readonly Operator[] = [
  "eq",
  "ne",
  "in",
  "not_in",
  "contains",
  "not_contains",
  "starts",
  "ends",
  "matches",
  "exists",
];
const LIST: readonly Operator[] = ["has_any", "has_all", "contains", "not_contains", "exists"];

/** The operators of each attribute type, the most common first. `crates/core` accepts no others. */
export const OPERATORS: Readonly<Record<AttributeType, readonly Operator[]>> = {
  string: TEXT,
  number: ["eq", "ne", "lt", "lte", "gt", "gte", "between", "in", "not_in", "exists"],
  boolean: ["eq", "ne", "in", "not_in", "exists"],
  semver: ["semver_gte", "semver_gt", "semver_lte", "semver_lt", "semver_eq", ...TEXT],
  date: ["after", "before", ...TEXT],
  ip: ["cidr", ...TEXT],
  "string[]": LIST,
  "number[]": LIST,
};

/** How many operands an operator takes. */
export type Arity = "none" | "one" | "two" | "several";

export function arity(op: Operator): Arity {
  if (op === "exists") return "none";
  if (op === "between") return "two";
  return ["in", "not_in", "has_any", "has_all", "cidr"].includes(op) ? "several" : "one";
}

/** Attributes that need no declaration. */
const BUILT_IN_ATTRIBUTES = ["userId", "key", "googleClientId", "email", "anonymousId"];

export function attributesOf(document: FlagsDocument): readonly Attribute[] {
  const declared = new Set(document.attributes.map(({ name }) => name));
  const always = BUILT_IN_ATTRIBUTES.filter((name) => !declared.has(name));
  return [...document.attributes, ...always.map((name) => ({ name, type: "string" as const }))];
}

/** Returns the attributes that people can be assigned by: built-in ones, declared strings and the chosen ones. */
export function unitsOf(document: FlagsDocument, ...chosen: readonly string[]): readonly string[] {
  const texts = document.attributes.filter(({ type }) => type === "string");
  return [...new Set([...BUILT_IN_ATTRIBUTES, ...texts.map(({ name }) => name), ...chosen])];
}

/** The kind of field for an operand. Dates have a separate field. */
export type OperandKind = "text" | "number" | "boolean" | "instant";

export function operandKind(type: AttributeType, op: Operator): OperandKind {
  if (op === "before" || op === "after") return "instant";
  if (type === "number" || type === "number[]") return "number";
  return type === "boolean" ? "boolean" : "text";
}

const DEFAULT_OPERAND: Readonly<Record<OperandKind, Json>> = {
  text: "",
  number: 0,
  boolean: true,
  instant: "",
};

/** Replaces the operator of a test and keeps the operands that fit it. */
export function withOperator(test: Test, op: Operator, type: AttributeType): Test {
  const { attr } = test;
  const kind = operandKind(type, op);
  const former = [...(test.values ?? []), ...(test.value === undefined ? [] : [test.value])];
  const fitting = former.filter((value) => fits(value, kind));
  const [first = DEFAULT_OPERAND[kind], second = first] = fitting;
  switch (arity(op)) {
    case "none":
      return { attr, op };
    case "one":
      return { attr, op, value: first };
    case "two":
      return { attr, op, values: [first, second] };
    case "several":
      return { attr, op, values: fitting.filter((value) => value !== "") };
  }
}

function fits(value: Json, kind: OperandKind): boolean {
  if (kind === "instant") return typeof value === "string" && !Number.isNaN(Date.parse(value));
  if (kind === "text") return typeof value === "string";
  return typeof value === kind;
}

export function newTest({ name, type }: Attribute): Test {
  const [op = "exists"] = OPERATORS[type];
  return withOperator({ attr: name, op }, op, type);
}

/** Parses one value of a list; undefined if it does not have the type. */
export function readToken(text: string, kind: OperandKind): Json | undefined {
  const trimmed = text.trim();
  if (!trimmed) return undefined;
  if (kind === "boolean")
    return trimmed === "true" ? true : trimmed === "false" ? false : undefined;
  if (kind !== "number") return trimmed;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : undefined;
}
