export { Feature, type FeatureProps } from "./feature";
export { FlagsOverlay, type FlagsOverlayProps } from "./flags-overlay";
export { FlagsProvider, type FlagsProviderProps } from "./provider";
export {
  type UseExperiment,
  type UseFlag,
  useExperiment,
  useFlag,
  useHoldouts,
} from "./use-flag";
export { useMetrics } from "./use-metrics";
export type { ReadOptions } from "./use-peek";
