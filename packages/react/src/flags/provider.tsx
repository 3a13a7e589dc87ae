import type { FlagBootstrap, FlagClient } from "@musette/client/flags";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { createFirstRender, type FirstRender } from "./first";

interface Flags {
  readonly client: FlagClient | undefined;
  readonly first: FirstRender;
  readonly suspense: boolean;
}

const FlagsContext = createContext<Flags | undefined>(undefined);

/** Props of `FlagsProvider`. */
export interface FlagsProviderProps {
  /** The client. Create it once, outside of React. A server with a bootstrap needs none. */
  readonly client?: FlagClient | undefined;
  /**
   * The user and the results with which the server rendered the page. In the browser, pass the same bootstrap to
   * the client too. After hydration the hooks read only from the client, because a bootstrap cannot follow a
   * change of user.
   */
  readonly bootstrap?: FlagBootstrap | undefined;
  /** Lets the nearest <Suspense> wait for the first value of each hook inside. */
  readonly suspense?: boolean | undefined;
  readonly children?: ReactNode;
}

/**
 * Provides a flag client to the hooks inside.
 *
 * @example
 * const client = createFlagClient({ token: "YOUR_CLIENT_KEY" });
 * const app = <FlagsProvider client={client}><App /></FlagsProvider>;
 */
export function FlagsProvider(props: FlagsProviderProps) {
  const { client, bootstrap, suspense = false } = props;
  const flags = useMemo(
    () => ({ client, first: createFirstRender(bootstrap), suspense }),
    [client, bootstrap, suspense],
  );
  // `.Provider`, because a host may still use React 18.
  return <FlagsContext.Provider value={flags}>{props.children}</FlagsContext.Provider>;
}

export function useFlags(): Flags {
  const flags = useContext(FlagsContext);
  if (!flags) throw new Error("Flags must be used inside a <FlagsProvider>");
  return flags;
}
