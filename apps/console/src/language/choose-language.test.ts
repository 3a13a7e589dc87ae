import { expect, it } from "vitest";
import { cases } from "../../../../testdata/languages.json";
import { chooseLanguage } from "./choose-language";

/** The console has one language; `*` wants nothing, and is no tag. */
const ofOneLanguage = cases.filter(({ wanted }) => /^[\w-]+$/.test(wanted));

it("has cases", () => expect(ofOneLanguage.length).toBeGreaterThan(20));

it.each(ofOneLanguage)(
  "a reader of $wanted gets $chosen of $offered",
  ({ wanted, offered, chosen }) =>
    expect(chooseLanguage(wanted, offered) ?? offered[0]).toBe(chosen),
);
