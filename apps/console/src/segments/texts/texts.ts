import type { AttributeType } from "../../configuration/document/document";
import { pageTexts } from "../../language/page-texts";

export interface SegmentsTexts {
  readonly title: string;
  readonly intro: string;
  readonly segment: string;
  readonly segments: string;
  readonly people: string;
  readonly usedBy: string;
  readonly unused: string;
  readonly usedTimes: (flags: string) => string;
  readonly empty: string;
  readonly emptyHint: string;
  readonly newSegment: string;
  readonly key: string;
  readonly keyHint: string;
  readonly keyTaken: string;
  readonly description: string;
  readonly who: string;
  readonly whoHint: string;
  readonly edit: (key: string) => string;
  readonly delete: string;
  readonly deleteHint: string;
  readonly back: string;
  readonly gone: string;
  readonly unsaved: string;
  readonly discard: string;
  readonly save: string;
  readonly saved: (version: string) => string;
  readonly attributes: string;
  readonly attributesHint: string;
  readonly newAttribute: string;
  readonly name: string;
  readonly type: string;
  readonly types: Readonly<Record<AttributeType, string>>;
  readonly remove: (what: string) => string;
}

export const useSegmentsTexts = pageTexts<SegmentsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
