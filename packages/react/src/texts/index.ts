export { en } from "./generated/en";
export { addLanguage, loadTexts, textsAtHand, withOverrides } from "./languages";
export { lookup } from "./lookup";
export type {
  ChangesTexts,
  ConsentTexts,
  ConsentTextsAtHand,
  MarketsTexts,
  PendingTexts,
  TextOverrides,
  Texts,
  TextsAtHand,
  UiTexts,
  ViewerTexts,
} from "./texts";
export { pageLanguage, useTexts } from "./use-texts";
