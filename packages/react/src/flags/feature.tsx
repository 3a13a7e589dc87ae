import type { FlagKey, FlagValue } from "@musette/client/flags";
import type { ReactNode } from "react";
import { usePeek } from "./use-peek";

/** Props of `Feature`. */
export interface FeatureProps {
  readonly flag: FlagKey;
  /** The value to be shown at; without it, any that is not `false`, empty or 0. */
  readonly is?: boolean | number | string;
  readonly children: ReactNode | ((value: FlagValue) => ReactNode);
  /** Shown instead, also when there is no answer. */
  readonly fallback?: ReactNode;
  /** Shown until there is an answer; the fallback where it is not given. */
  readonly loading?: ReactNode;
  readonly suspense?: boolean | undefined;
}

/** Shows its children to those for whom a flag is on, or has a certain value. */
export function Feature({ flag, is, children, fallback = null, ...rest }: FeatureProps) {
  const peeked = usePeek(flag, { suspense: rest.suspense });
  const { loading = fallback } = rest;
  if (!peeked) return loading;
  const value = peeked.result.variation;
  if (is === undefined ? !value : value !== is) return fallback;
  return typeof children === "function" ? children(value) : children;
}
