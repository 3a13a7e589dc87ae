import type { Condition, FlagsDocument } from "../configuration/document/document";

/** Where a segment or an attribute is used. */
export interface Uses {
  readonly flags: readonly string[];
  readonly segments: readonly string[];
  readonly holdouts: readonly string[];
}

type Is = (condition: Condition) => boolean;

function holds(condition: Condition, is: Is): boolean {
  if (is(condition)) return true;
  if ("not" in condition) return holds(condition.not, is);
  const parts = "all" in condition ? condition.all : "any" in condition ? condition.any : [];
  return parts.some((part) => holds(part, is));
}

export function usesOfSegment(document: FlagsDocument, key: string): Uses {
  return usesWhere(document, (condition) => "segment" in condition && condition.segment === key);
}

export function usesOfAttribute(document: FlagsDocument, name: string): Uses {
  const tested = usesWhere(document, (condition) => "attr" in condition && condition.attr === name);
  const drawn = document.flags.filter(
    ({ rules, overrides }) =>
      overrides.some(({ unit }) => unit === name) ||
      rules.some(({ serve }) => {
        if ("rollout" in serve) return serve.rollout.unit === name;
        if (!("experiment" in serve)) return false;
        return [serve.experiment.unit, serve.experiment.fallbackUnit].includes(name);
      }),
  );
  const holdouts = document.holdouts.filter(({ unit }) => unit === name);
  return {
    ...tested,
    flags: [...new Set([...tested.flags, ...drawn.map(({ key }) => key)])],
    holdouts: [...new Set([...tested.holdouts, ...holdouts.map(({ key }) => key)])],
  };
}

function usesWhere(document: FlagsDocument, is: Is): Uses {
  const { flags, segments, holdouts } = document;
  return {
    flags: flags
      .filter(({ rules }) => rules.some(({ when }) => holds(when, is)))
      .map((flag) => flag.key),
    segments: segments.filter(({ match }) => holds(match, is)).map((segment) => segment.key),
    holdouts: holdouts
      .filter(({ population }) => population && holds(population, is))
      .map((holdout) => holdout.key),
  };
}

export const countOf = ({ flags, segments, holdouts }: Uses) =>
  flags.length + segments.length + holdouts.length;
