import type { Flags } from "./flags";

declare module "@musette/client/flags" {
  interface FlagTypes extends Flags {}
}
