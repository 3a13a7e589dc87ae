import type { FlagBootstrap, FlagClient } from "@musette/client/flags";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { type FirstPicture, firstPicture } from "./first";

interface Flags {
  readonly client: FlagClient | undefined;
  readonly first: FirstPicture;
  readonly suspense: boolean;
}

const FlagsContext = createContext<Flags | undefined>(undefined);

/** Props of `FlagsProvider`. */
export interface FlagsProviderProps {
  /** Made once, outside of React. A server needs none where it has a bootstrap. */
  readonly client?: FlagClient | undefined;
  /**
   * What the page was drawn with on the server. In the browser give the same to the client as well:
   * from then on only the client speaks, since a bootstrap does not know when the person changes.
   */
  readonly bootstrap?: FlagBootstrap | undefined;
  /** Lets the nearest <Suspense> wait for a first answer, for all hooks below. */
  readonly suspense?: boolean | undefined;
  readonly children?: ReactNode;
}

/** Provides a flag client to the hooks below. */
export function FlagsProvider(props: FlagsProviderProps) {
  const { client, bootstrap, suspense = false } = props;
  const flags = useMemo(
    () => ({ client, first: firstPicture(bootstrap), suspense }),
    [client, bootstrap, suspense],
  );
  // `.Provider`, since a host may still be on React 18.
  return <FlagsContext.Provider value={flags}>{props.children}</FlagsContext.Provider>;
}

export function useFlags(): Flags {
  const flags = useContext(FlagsContext);
  if (!flags) throw new Error("Flags need a <FlagsProvider> around them");
  return flags;
}
