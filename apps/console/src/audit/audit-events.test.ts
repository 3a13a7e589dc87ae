import { describe, expect, it } from "vitest";
import events from "../../../../testdata/audit-events.json";
import { offered, prepareLanguage } from "../language/language-context";

/** The server does not store an event that is not in this list. */
describe.each(offered)("$tag", (language) => {
  it("has a text for every event in the audit log", async () => {
    const known = (await prepareLanguage(language)).texts.audit.events;
    expect(events.filter((event) => !known[event])).toEqual([]);
    expect(Object.keys(known).filter((event) => !events.includes(event))).toEqual([]);
  });
});
