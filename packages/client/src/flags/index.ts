export type { BrowserEnvironment, Channel } from "./browser-environment";
export { createFlagClient } from "./create-flag-client";
export type {
  Answered,
  ExperimentAssignment,
  Explanation,
  FlagBootstrap,
  FlagCache,
  FlagClient,
  FlagClientOptions,
  FlagEvent,
  FlagKey,
  FlagKind,
  FlagOverrides,
  FlagResult,
  FlagSnapshot,
  FlagStatus,
  FlagTypes,
  FlagUser,
  FlagValue,
  HoldoutEvaluation,
  Peeked,
  Region,
  ValueOf,
  Widened,
} from "./flag-client";
export { browserManagers, type LocalStorage, type Managers } from "./managers";
