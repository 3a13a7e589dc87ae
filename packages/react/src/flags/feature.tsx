import type { FlagKey, FlagValue } from "@musette/client/flags";
import type { ReactNode } from "react";
import { usePeek } from "./use-peek";

/** Props of `Feature`. */
export interface FeatureProps {
  /** The key of the flag. */
  readonly flag: FlagKey;
  /** The value at which the children are shown. Default: any value except `false`, an empty text, 0 and null. */
  readonly is?: boolean | number | string;
  /** The content, or a function of the value that returns it. */
  readonly children: ReactNode | ((value: FlagValue) => ReactNode);
  /** Shown for other values, and if there is no value. */
  readonly fallback?: ReactNode;
  /** Shown until there is a value. Default: `fallback`. */
  readonly loading?: ReactNode;
  /** Lets the nearest <Suspense> wait for the first value. Default: that of the provider. */
  readonly suspense?: boolean | undefined;
}

/**
 * Shows its children if a flag is on or has a certain value for the user.
 *
 * @example
 * <Feature flag="quest-cards" fallback={<p>No quests</p>}>
 *   <p>Quests</p>
 * </Feature>
 */
export function Feature({ flag, is, children, fallback = null, ...rest }: FeatureProps) {
  const peeked = usePeek(flag, { suspense: rest.suspense });
  const { loading = fallback } = rest;
  if (!peeked) return loading;
  const value = peeked.result.variation;
  if (is === undefined ? !value : value !== is) return fallback;
  return typeof children === "function" ? children(value) : children;
}
