import assert from "node:assert/strict";

const button = (page, name) => page.getByRole("button", { name, exact: true });
const box = (page, name) => page.getByRole("checkbox", { name, exact: true });
const style = (locator, name) =>
  locator.evaluate((element, name) => getComputedStyle(element)[name], name);

/** The client sends an exposure 5 s after counting it, and later while the machine is busy. */
const PARTICIPATION_MS = 30_000;

/** Waits until the condition is true, because rendering may take a moment. */
async function becomes(what, ask, wanted, forMs = 8_000) {
  const until = Date.now() + forMs;
  let got = await ask();
  while (got !== wanted && Date.now() < until) {
    await new Promise((done) => setTimeout(done, 50));
    got = await ask();
  }
  assert.equal(got, wanted, what);
}

/** The quick start: default props, an applicant, same origin. */
export async function firstScreen({ page, site, service }) {
  await page.goto(`${site}/`);
  const accept = button(page, "Agree and continue");
  await page.getByRole("heading", { name: "Terms & Conditions" }).waitFor();
  await page.getByRole("checkbox").first().waitFor();
  assert.equal(await page.getByRole("checkbox").count(), 3);
  assert(await accept.isDisabled(), "nothing is ticked before the person ticks it");
  await becomes(
    "the light colour",
    () => style(page.locator(".mu-consent"), "color"),
    "rgb(20, 24, 31)",
  );
  await page.emulateMedia({ colorScheme: "dark" });
  await becomes(
    "the dark colour",
    () => style(page.locator(".mu-consent"), "color"),
    "rgb(243, 245, 248)",
  );

  await button(page, "Open Rules").click();
  const picture = page.locator(".mu-viewer-page img").first();
  await picture.waitFor();
  await becomes("the page's picture", () => picture.evaluate((img) => img.naturalWidth > 0), true);
  await page.getByText("Who may ride").first().waitFor();
  // A document counts as opened a few frames after its picture was decoded, which the page does not
  // show.
  await page.waitForTimeout(2_000);
  await page.keyboard.press("Escape");

  await box(page, "Rules").check();
  await accept.click();
  await page.getByText("Your decision is recorded.").waitFor();
  const bodies = [...service.submissions.values()].flat().map((body) => JSON.parse(body));
  assert.equal(bodies.length, 1);
  assert.equal(bodies[0].user_type, "APPLICANT");
  assert.deepEqual(
    bodies[0].consents.map((consent) => [
      consent.terms_and_conditions_id,
      consent.accepted,
      consent.opened,
    ]),
    [
      [service.ids.rules, true, true],
      [service.ids.news, false, false],
    ],
  );
}

/** The quick start in a page whose language is Arabic. */
export async function arabicScreen({ page, site }) {
  await page.goto(`${site}/arabic.html`);
  await page.getByRole("heading", { name: "الشروط والأحكام" }).waitFor();
  assert.equal(await style(page.locator(".mu-consent"), "direction"), "rtl");
  const [tick, open] = await Promise.all(
    [box(page, "Rules"), button(page, "فتح Rules")].map((locator) => locator.boundingBox()),
  );
  assert(tick.x > open.x, "the box to tick is at the right, where reading begins");
}

/** Custom requests to another origin, custom theme and texts, and a language that the package does not have. */
export async function ownScreen({ page, site, service }) {
  await page.goto(`${site}/own.html`);
  const accept = button(page, "Akkoord en verder");
  await page.getByRole("heading", { name: "Bijna klaar, Robin" }).waitFor();
  await page.getByText("Ga akkoord met de voorwaarden om verder te gaan").waitFor();
  await page.getByText("Nog 1 verplichte voorwaarde").waitFor();
  await box(page, "Akkoord met alles").check();
  await becomes("own colour", () => style(accept, "backgroundColor"), "rgb(122, 31, 162)");
  await becomes("own corners", () => style(accept, "borderRadius"), "0px");
  assert.equal(await style(accept, "textTransform"), "uppercase", "a rule outside of layers wins");
  assert.notEqual(
    await style(accept, "paddingInlineStart"),
    "0px",
    "a reset in an earlier layer loses",
  );
  assert.equal((await page.locator(".mu-consent-footer").boundingBox()).height, 96);

  await foreignDocument(page);

  service.submissions.clear();
  service.loseAnswers(1);
  await accept.click();
  await page.getByText("Er kwam geen antwoord.").waitFor();
  assert(await box(page, "News").isChecked(), "the ticks stay");
  await button(page, "Nu proberen").click();
  await page.locator("output", { hasText: /^[\w-]{22,}$/ }).waitFor();
  assert.equal(service.submissions.size, 1, "sent again with the same key");
  const [first, second] = [...service.submissions.values()][0];
  assert.equal(first, second, "and with the same content");
  assert.equal(JSON.parse(first).user_id, "rider-1");
  assert.equal(JSON.parse(first).app, "parcel-shop 1.0");
}

/** pdf.js renders a document that Musette does not serve, in the frame that the host serves. */
async function foreignDocument(page) {
  await button(page, "News openen").click();
  await page.frameLocator(".mu-viewer-frame").locator("canvas").first().waitFor();
  await becomes(
    "the frame is of opaque origin",
    async () =>
      page
        .frames()
        .at(-1)
        .evaluate(() => self.origin),
    "null",
  );
  await button(page, "Dicht").click();
  await page.locator("dialog.mu-viewer").waitFor({ state: "detached" });
}

/** The quick start of docs/flags.md. */
export async function firstFlag({ page, site }) {
  await page.goto(`${site}/flags.html`);
  await page.getByText("receipt </script>").waitFor();
}

/** A server-rendered page that the browser hydrates, and the overlay on demand. */
export async function drawnFlags({ page, site, service }) {
  const drawn = await (await page.request.get(`${site}/drawn.html`)).text();
  assert(drawn.includes("<h1>Apply</h1>"), "the server knows what it draws");
  assert(!drawn.includes("receipt </script>"), "no value ends the script element that contains it");

  const fetched = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  // Records every text of the heading, from the first byte on.
  await page.addInitScript(() => {
    window.said = [];
    const look = () => {
      const words = document.querySelector("h1")?.textContent;
      if (words && window.said.at(-1) !== words) window.said.push(words);
    };
    new MutationObserver(look).observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  await page.goto(`${site}/drawn.html`);
  await becomes("participations", () => service.participations.length, 1, PARTICIPATION_MS);
  assert.equal(service.participations[0].experiment, "words");
  assert.deepEqual(await page.evaluate(() => window.said), ["Apply"], "no other text appears");
  assert.equal(await page.locator("#test").textContent(), "words short");
  await page.getByText("Your quests").waitFor();
  await page.reload();
  assert(!fetched.some((path) => path.includes("panel")), "the overlay is only loaded on request");

  await page.goto(`${site}/drawn.html?musette-flags=1`);
  const overlay = page.locator("musette-flags section");
  await overlay.getByText("apply-words").click();
  await overlay.getByText("AB_TEST · experiment:words").waitFor();
  await overlay.getByText("quest-cards").click();
  await overlay.locator("select").selectOption("false");
  await page.getByText("No quests yet").waitFor();
  await button(overlay, "Reset all").click();
  await page.getByText("Your quests").waitFor();
  assert.equal(service.participations.length, 1, "a reload is not counted again");
  service.participations.length = 0;
}
