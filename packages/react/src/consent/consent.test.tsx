// @vitest-environment happy-dom
import type { Term } from "@musette/client/terms";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { click, type Mounted, settle, until } from "../testing/mount";
import { consents, stage, term } from "./consent-stage";

beforeEach(() => sessionStorage.clear());

describe("the list", () => {
  it("has the default texts, agree-all first, and the terms by display_order", async () => {
    const fetchTerms = async () => [
      term(9, { display_order: 2 }),
      term(7, { display_order: 1, mandatory: false }),
      term(8, { display_order: 2 }),
    ];
    const { page, accept } = await stage({ fetchTerms });
    expect(page.querySelector("h1")?.textContent).toBe("Terms & Conditions");
    expect(page.textContent).toContain("You need to agree to the terms to continue");
    expect([...page.querySelectorAll("label")].map((label) => label.textContent)).toEqual([
      "Agree to all",
      "Term 7",
      "Term 8",
      "Term 9",
    ]);
    expect(accept()).toBeDefined();
    expect(page.querySelector("[data-term='7']")?.textContent).toContain("Optional");
    expect(page.querySelector("[data-term='8']")?.textContent).not.toContain("Optional");
  });

  it("accepts a replacement for every text", async () => {
    const { page, button } = await stage({
      title: "T",
      description: "D",
      acceptLabel: "Go",
      agreeAllLabel: "All",
      optionalLabel: "If you like",
      texts: { consent: { requiredLeft: (n) => `${n}!` } },
    });
    expect(page.querySelector("h1")?.textContent).toBe("T");
    expect(page.querySelector("label")?.textContent).toBe("All");
    expect(page.querySelector("[data-term='3']")?.textContent).toContain("If you like");
    expect(page.querySelector("footer p")?.textContent).toBe("2!");
    expect(button("Go")).toBeDefined();
  });

  it("has a header only with onBack or onClose", async () => {
    const none = await stage();
    expect(none.page.querySelector("header")).toBeNull();
    await none.mounted.leave();
    const onBack = vi.fn();
    const onClose = vi.fn();
    const { page, button } = await stage({ onBack, onClose });
    expect(page.querySelectorAll("header button")).toHaveLength(2);
    await click(button("Back"));
    await click(button("Close"));
    expect([onBack, onClose].map((call) => call.mock.calls.length)).toEqual([1, 1]);
  });

  it("shows a malicious title as text and renders no link", async () => {
    const title = "<img src=x onerror=alert(1)> \u202Egnp.exe";
    const fetchTerms = async () => [term(1, { title, content: "javascript:alert(1)" })];
    const { page } = await stage({ fetchTerms });
    expect(page.querySelector("bdi")?.textContent).toBe(title);
    expect(page.querySelector("img, a")).toBeNull();
  });

  it("changes texts and direction together for Arabic", async () => {
    const { page } = await stage({ locale: "ar-EG" });
    await until(() => page.querySelector("[dir=rtl]") !== null);
    expect(page.querySelector("h1")?.textContent).toBe("الشروط والأحكام");
  });
});

describe("ticks", () => {
  it("start empty for an applicant, without a request for consents", async () => {
    const fetchConsents = vi.fn();
    const { ticks, fetchTerms } = await stage({ fetchConsents });
    expect(ticks()).toEqual([false, false, false, false]);
    expect(fetchConsents).not.toHaveBeenCalled();
    expect(fetchTerms).toHaveBeenCalledWith({ termsType: "FREELANCER" });
  });

  it("start with the accepted terms only", async () => {
    const consent = (id: number, accepted: boolean) => ({
      terms_and_conditions_id: id,
      accepted,
      consented_at: "",
    });
    const { ticks } = await stage({
      userId: "r1",
      fetchConsents: async (user_id) => ({
        user_id,
        user_type: "RIDER",
        consents: [consent(1, true), consent(2, false), consent(44, true)],
      }),
    });
    expect(ticks()).toEqual(["mixed", true, false, false]);
  });

  it("start empty if the consents cannot be loaded", async () => {
    const fetchConsents = async () => Promise.reject(new Error("down"));
    const { ticks } = await stage({ userId: "r1", fetchConsents });
    expect(ticks()).toEqual([false, false, false, false]);
  });

  it.each([
    ["tick", [true, true, true, true]],
    ["untick", [false, false, false, false]],
  ] as const)(
    "follow partialClick %s on agree-all in the partial state",
    async (partialClick, after) => {
      const { box, ticks } = await stage({ partialClick });
      await click(box(1));
      expect(box("all")?.getAttribute("aria-checked")).toBe("mixed");
      await click(box("all"));
      expect(ticks()).toEqual(after);
    },
  );

  it("are all set and then all removed by agree-all", async () => {
    const { box, ticks } = await stage();
    await click(box("all"));
    expect(ticks()).toEqual([true, true, true, true]);
    await click(box("all"));
    expect(ticks()).toEqual([false, false, false, false]);
  });

  it("are cleared for the next applicant and restored only for the same rider", async () => {
    const first = await stage();
    await click(first.box("all"));
    await first.mounted.leave();
    const next = await stage();
    expect(next.ticks()).toEqual([false, false, false, false]);
    await next.mounted.leave();
    const stageRider = (userId: string) => {
      const consents = { user_id: userId, user_type: "RIDER", consents: [] } as const;
      return stage({ userId, fetchConsents: async () => consents });
    };
    const rider = await stageRider("r1");
    await click(rider.box(2));
    await rider.mounted.leave();
    const other = await stageRider("r2");
    expect(other.ticks()).toEqual([false, false, false, false]);
    await other.mounted.leave();
    const again = await stageRider("r1");
    expect(again.ticks()).toEqual(["mixed", false, true, false]);
    expect(other.mounted.page.textContent).not.toContain("Your ticks from before are kept");
    expect(again.mounted.page.textContent).toContain(
      "Your ticks from before are kept in this tab.",
    );
  });

  it("are cleared when the props change to another user", async () => {
    const { box, ticks, mounted } = await stage();
    await click(box("all"));
    const { TermsConsent } = await import("./terms-consent");
    await mounted.show(
      <TermsConsent
        userId="r2"
        fetchTerms={async () => [term(1)]}
        fetchConsents={async () => ({ user_id: "r2", user_type: "RIDER", consents: [] })}
      />,
    );
    await settle();
    expect(ticks()).toEqual([false, false]);
  });
});

describe("what the screen says", () => {
  const rider = (terms: readonly Term[], decided: Readonly<Record<number, boolean>> = {}) =>
    stage({
      userId: "r1",
      fetchTerms: async () => terms,
      fetchConsents: async () => consents("r1", decided),
    });
  const lead = ({ page }: Mounted) => page.querySelector(".mu-consent-lead");

  it("names the end of the grace period of a term that is not agreed to", async () => {
    const grace_until = "2099-12-03T09:00:00.000Z";
    const terms = [term(1, { grace_until }), term(2, { grace_until }), term(3)];
    const { mounted } = await rider(terms, { 2: true });
    const notes = [...mounted.page.querySelectorAll("[data-term]")].map(
      (row) => row.querySelector(".mu-term-notes")?.textContent,
    );
    expect(notes[1]).toMatch(/^Required from December 3, 2099 at/);
    expect(notes.slice(2)).toEqual([undefined, undefined]);
  });

  it("does not name a grace period that is over", async () => {
    const { mounted } = await rider([term(1, { grace_until: "2020-12-03T09:00:00.000Z" })]);
    expect(mounted.page.textContent).not.toContain("Required from");
  });

  it("does not ask to agree to terms that do not exist", async () => {
    const { mounted } = await rider([]);
    expect(mounted.page.textContent).toContain("There are no terms to agree to at the moment.");
    expect(lead(mounted)).toBeNull();
  });
});

describe("accept", () => {
  it("needs all mandatory ticks, shows how many are missing, and needs no optional one", async () => {
    const { box, accept, footer } = await stage();
    expect([accept()?.disabled, footer()]).toEqual([true, "2 required terms left"]);
    await click(box(3));
    await click(box(1));
    expect([accept()?.disabled, footer()]).toEqual([true, "1 required term left"]);
    await click(box(2));
    await click(box(3));
    expect([accept()?.disabled, footer()]).toEqual([false, ""]);
  });

  it("is disabled while there are no terms", async () => {
    const { accept, page } = await stage({ fetchTerms: async () => [] });
    expect(accept()?.disabled).toBe(true);
    expect(page.textContent).toContain("no terms to agree to");
  });

  it("is disabled while the terms load, with a status message", async () => {
    const { accept, state, page } = await stage({ fetchTerms: () => new Promise(() => {}) });
    expect([accept()?.disabled, state()]).toEqual([true, "loading"]);
    expect(page.querySelector("[role=status]")?.textContent).toBe("Loading the terms");
  });
});
