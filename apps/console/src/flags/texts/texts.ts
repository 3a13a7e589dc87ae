import type { FlagType } from "../../configuration/document/document";
import { pageTexts } from "../../language/page-texts";
import type { STATES } from "../flags-search";

type Words<Names extends string> = Readonly<Record<Names, string>>;
type With = (what: string) => string;

export interface FlagsTexts
  extends Words<
      | "title"
      | "intro"
      | "newFlag"
      | "empty"
      | "emptyHint"
      | "nothing"
      | "nothingHint"
      | "killHint"
      | "killHere"
      | "killKey"
      | "search"
      | "filters"
      | "begun"
      | "flag"
      | "gives"
      | "owner"
      | "tag"
      | "type"
      | "state"
      | "onOff"
      | "anyState"
      | "anyTag"
      | "anyOwner"
      | "anyType"
      | "key"
      | "keyHint"
      | "keyTaken"
      | "goOn"
      | "allFlags"
      | "goneHint"
      | "isNew"
      | "plan"
      | "copy"
      | "duplicate"
      | "archive"
      | "unarchive"
      | "delete"
      | "neededText"
    >,
    Readonly<
      Record<
        | "gone"
        | "duplicateTitle"
        | "archiveTitle"
        | "unarchiveTitle"
        | "deleteTitle"
        | "archived"
        | "unarchived"
        | "deleted"
        | "neededTitle",
        With
      >
    > {
  readonly shown: (shown: string, all: string) => string;
  readonly states: Words<(typeof STATES)[number]>;
  readonly types: Words<FlagType>;
  readonly typeHints: Words<FlagType>;
  readonly served: Words<"nobody" | "some"> & {
    readonly everybody: With;
    readonly rollout: With;
    readonly rules: With;
    readonly experiment: Words<"draft" | "running" | "stopped" | "shipped">;
  };
  readonly kill: Words<"on" | "off" | "switchOn" | "switchOff" | "onText" | "at" | "fallback"> &
    Readonly<Record<"label" | "onTitle" | "offTitle" | "offText" | "isOn" | "isOff", With>>;
  readonly editor: EditorTexts;
  readonly preview: PreviewTexts;
}

export type EditorTexts = Words<
  | "details"
  | "description"
  | "descriptionHint"
  | "tags"
  | "tagsHint"
  | "clientVisible"
  | "clientVisibleHint"
  | "variations"
  | "addVariation"
  | "variationKey"
  | "variationValue"
  | "byDefault"
  | "byDefaultHint"
  | "whenOff"
  | "whenOffHint"
  | "ownFallback"
  | "heldOut"
  | "heldOutHint"
  | "rules"
  | "rulesHint"
  | "addRule"
  | "removeRule"
  | "decided"
  | "moveHint"
  | "ruleName"
  | "ruleNameHint"
  | "who"
  | "what"
  | "allOfThem"
  | "share"
  | "gets"
  | "drawnBy"
  | "experiment"
  | "toExperiment"
  | "addStep"
  | "removeStep"
  | "stepAt"
  | "fromStart"
  | "laterInstead"
  | "nowInstead"
  | "shareOf"
  | "percent"
  | "prerequisites"
  | "prerequisitesHint"
  | "prerequisiteFlag"
  | "addPrerequisite"
  | "mustServe"
  | "circle"
  | "overrides"
  | "overridesHint"
  | "addOverride"
  | "overrideUnit"
  | "overrideId"
  | "belongs"
  | "holdouts"
  | "layers"
  | "neededBy"
  | "overtaken"
  | "restored"
  | "unsaved"
  | "newUnsaved"
  | "discard"
  | "review"
> &
  Readonly<
    Record<
      | "variationsHint"
      | "removeVariation"
      | "noRules"
      | "everybodyElse"
      | "ruleUp"
      | "ruleDown"
      | "rolloutHint"
      | "removePrerequisite"
      | "removeOverride"
      | "isNew"
      | "saved"
      | "reviewTitle",
      With
    >
  > & {
    readonly jsonFault: (line: string, column: string) => string;
    readonly moveRule: (number: string, count: string) => string;
    readonly experimentHint: (coverage: string, unit: string) => string;
    readonly slot: (share: string, experiment: string) => string;
  };

export type PreviewTexts = Words<
  | "title"
  | "gets"
  | "nothing"
  | "faulty"
  | "asking"
  | "person"
  | "at"
  | "examples"
  | "exampleName"
  | "keep"
  | "trace"
  | "holds"
  | "fails"
  | "unknown"
> &
  Readonly<
    Record<
      "atHint" | "forget" | "noUnit" | "serves" | "named" | "slot" | "covered" | "assigned",
      With
    >
  > & {
    readonly test: (condition: string, got: string) => string;
    readonly draw: (share: string, at: string) => string;
    /** By the name of the group. */
    readonly groups: Readonly<Record<string, string>>;
    readonly because: Words<"off" | "archived" | "override" | "default"> &
      Readonly<Record<"prerequisite" | "experiment", With>> & {
        readonly rule: (rule: string, condition: string) => string;
        readonly holdout: (key: string, percent: string) => string;
      };
  };

export const useFlagsTexts = pageTexts<FlagsTexts>({
  en: () => import("./en").then(({ en }) => en),
  de: () => import("./de").then(({ de }) => de),
  ar: () => import("./ar").then(({ ar }) => ar),
});
