// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { QueryCache } from "../reading/answers";
import { QueryCacheContext } from "../reading/use-read";
import { click, mount, until } from "../testing/mount";
import { MarketFirst, type MarketFirstProps } from "./market-first";
import { forgetMarket } from "./remembered";

const THREE = ["IE.ashwick-hollow", "IE.port-merrow", "UY.dunmarsh"];

beforeEach(() => localStorage.clear());

const answering = (markets: readonly string[]) => vi.fn(async () => Response.json({ markets }));

async function stage(fetch: typeof globalThis.fetch, props: Partial<MarketFirstProps> = {}) {
  return mount(
    <QueryCacheContext.Provider value={new QueryCache()}>
      <MarketFirst locale="en" fetch={fetch} {...props}>
        {(market, chosen) => (
          <div data-terms={market ?? ""} className="mu-consent">
            <h1>The terms</h1>
            {chosen?.text}
            {chosen && (
              <button type="button" onClick={chosen.change}>
                {chosen.changeText}
              </button>
            )}
          </div>
        )}
      </MarketFirst>
    </QueryCacheContext.Provider>,
  );
}

const choice = (page: Element, code: string) => page.querySelector(`[data-market="${code}"]`);
const codes = (page: Element) =>
  [...page.querySelectorAll("[data-market]")].map((choice) => choice.getAttribute("data-market"));
const terms = (page: Element) => page.querySelector("[data-terms]")?.getAttribute("data-terms");

async function search(page: Element, text: string): Promise<void> {
  const input = page.querySelector("input");
  if (!input) throw new Error("the page has no search field");
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? {};
  await act(async () => {
    set?.call(input, text);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

it("asks once, stores the choice, and allows to change it", async () => {
  const fetch = answering(THREE);
  const { page, leave } = await stage(fetch);
  await until(() => codes(page).length > 0);
  expect(codes(page)).toEqual(["IE.ashwick-hollow", "UY.dunmarsh", "IE.port-merrow", ""]);
  expect(terms(page)).toBeUndefined();
  await click(choice(page, "IE.port-merrow"));
  expect(terms(page)).toBe("IE.port-merrow");
  expect(page.textContent).toContain("Port Merrow, Ireland");
  await click(page.querySelector("button"));
  expect(choice(page, "IE.port-merrow")?.getAttribute("aria-current")).toBe("true");
  await click(choice(page, ""));
  expect(terms(page)).toBe("");
  await leave();

  const reloaded = await stage(fetch);
  await until(() => terms(reloaded.page) === "");
  await reloaded.leave();
  forgetMarket();
  const next = await stage(fetch);
  await until(() => codes(next.page).length > 0);
});

it("finds a market by a part of its name without case and accents", async () => {
  const { page } = await stage(answering([...THREE, "CI.abidjan"]), { locale: "fr" });
  await until(() => codes(page).length > 0);
  await search(page, "cote d’ivoire");
  await until(() => codes(page).length === 2);
  expect(codes(page)).toEqual(["CI.abidjan", ""]);
  await search(page, "nowhere at all");
  await until(() => codes(page).length === 1);
  expect(page.querySelector("[role=status]")?.textContent).not.toBe("");
});

it.each([
  [["DE"], {}, "DE"],
  [[], {}, ""],
  [THREE, { market: "DE-BE" }, "DE-BE"],
])("does not ask with markets %j and props %j", async (markets, props, expected) => {
  const { page } = await stage(answering(markets), props);
  await until(() => terms(page) === expected);
});

it("asks again if the stored market is no longer in the list", async () => {
  localStorage.setItem("musette.market", "DE.gone");
  const { page } = await stage(answering(THREE));
  await until(() => codes(page).length > 0);
  expect(terms(page)).toBeUndefined();
});

it("shows an error and a retry button if the list cannot be loaded", async () => {
  const fetch = answering(THREE);
  fetch.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  const { page } = await stage(fetch);
  await until(() => page.querySelector("[role=alert]") !== null);
  await click(page.querySelector("[role=alert] button"));
  await until(() => codes(page).length > 0);
});

it("uses the stored market while offline", async () => {
  localStorage.setItem("musette.market", "IE.port-merrow");
  const { page } = await stage(async () => Promise.reject(new TypeError("Failed to fetch")));
  await until(() => terms(page) === "IE.port-merrow");
});

it("moves to the heading of the next screen", async () => {
  const scrolled: Element[] = [];
  Element.prototype.scrollIntoView = function () {
    scrolled.push(this);
  };
  const { page, leave } = await stage(answering(THREE));
  await until(() => codes(page).length > 0);
  // The first screen does not change the scroll position of the page.
  expect(scrolled).toEqual([]);
  await click(choice(page, "UY.dunmarsh"));
  expect(document.activeElement?.textContent).toBe("The terms");
  expect(scrolled).toEqual([page.querySelector("[data-terms]")]);
  await click(page.querySelector("button"));
  expect(document.activeElement?.tagName).toBe("H1");
  expect(scrolled.at(-1)?.className).toContain("mu-markets");
  await leave();
});

it("keeps the screen of the chosen market when the user goes back from the list", async () => {
  const { page } = await stage(answering(THREE));
  await until(() => codes(page).length > 0);
  await click(choice(page, "UY.dunmarsh"));
  const screen = page.querySelector("[data-terms]");
  await click(page.querySelector("button"));
  expect(codes(page)).toHaveLength(4);
  await click(page.querySelector("[aria-label=Back]"));
  expect(page.querySelector("[data-terms]")).toBe(screen);
  expect(document.activeElement).toBe(page.querySelector("h1"));
  await click(page.querySelector("button"));
  await click(choice(page, "UY.dunmarsh"));
  expect(page.querySelector("[data-terms]")).toBe(screen);
});

it("names the market of a link, and allows to change it", async () => {
  const { page } = await stage(answering(THREE), { linkedMarket: "IE.port-merrow" });
  await until(() => page.textContent?.includes("Port Merrow, Ireland") === true);
  expect(terms(page)).toBe("IE.port-merrow");
  await click(page.querySelector("button"));
  await click(choice(page, "UY.dunmarsh"));
  expect(terms(page)).toBe("UY.dunmarsh");
});

it("accepts a linked country that is not in the list", async () => {
  const { page } = await stage(answering(THREE), { linkedMarket: "UY" });
  await until(() => page.textContent?.includes("Uruguay") === true);
  expect(terms(page)).toBe("UY");
});

it("offers the list if the market of a link is unknown", async () => {
  const { page } = await stage(answering(THREE), { linkedMarket: "IE.nowhere" });
  await until(() => codes(page).length > 0);
  expect(page.textContent).toContain("The place in the link is not known here.");
  await click(choice(page, "UY.dunmarsh"));
  expect(terms(page)).toBe("UY.dunmarsh");
});
