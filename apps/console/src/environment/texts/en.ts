import type { EnvironmentTexts } from "./texts";

export const en: EnvironmentTexts = {
  environment: "Environment",
  none: "There is no environment yet.",
  noneHint:
    "An environment holds one set of flags, such as production or staging. An admin makes the first one in the settings.",
};
