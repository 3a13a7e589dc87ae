import type { FlagResult, FlagValue, Peeked } from "./flag-client";
import type { Marks } from "./managers";

const KEY = "musette_flag_overrides";

type Values = Readonly<Record<string, FlagValue>>;

function read(marks: Marks, unsupported: () => void): Values {
  try {
    const values: unknown = JSON.parse(marks.read(KEY) ?? "{}");
    return typeof values === "object" && values !== null ? (values as Values) : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) unsupported();
    return {};
  }
}

/** What a developer set on this device, whatever the service says. */
export function createOverrides(
  marks: Marks,
  unsupported: () => void,
  changed: (keys: readonly string[]) => void,
) {
  const peeked = new Map<string, Peeked & { readonly result: FlagResult }>();
  let values: Values = {};

  function adopt(next: Values) {
    values = next;
    peeked.clear();
    for (const [key, variation] of Object.entries(values)) {
      const result: FlagResult = {
        variation,
        abTest: false,
        explanation: { kind: "OVERRIDE", from: "client:override" },
        relevantContext: [],
        holdoutsEvaluations: [],
      };
      peeked.set(key, { result, status: "fresh" });
    }
  }
  adopt(read(marks, unsupported));

  function keep(next: Values, keys: readonly string[]) {
    adopt(next);
    try {
      marks.write(KEY, JSON.stringify(values));
    } catch {
      // Then for this page only.
    }
    changed(keys);
  }

  return {
    peeked,
    api: {
      set: (key: string, value: FlagValue) => keep({ ...values, [key]: value }, [key]),
      clear(key?: string) {
        const { ...rest } = values as Record<string, FlagValue>;
        if (key !== undefined) delete rest[key];
        keep(key === undefined ? {} : rest, key === undefined ? Object.keys(values) : [key]);
      },
      list: () => values,
    },
  };
}
