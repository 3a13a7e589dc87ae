import assert from "node:assert/strict";

const button = (page, name) => page.getByRole("button", { name, exact: true });
const box = (page, name) => page.getByRole("checkbox", { name, exact: true });
const style = (locator, name) =>
  locator.evaluate((element, name) => getComputedStyle(element)[name], name);

/** Waits until it is so: what is asked may need a moment to be drawn. */
async function becomes(what, ask, wanted) {
  const until = Date.now() + 8_000;
  let got = await ask();
  while (got !== wanted && Date.now() < until) {
    await new Promise((done) => setTimeout(done, 50));
    got = await ask();
  }
  assert.equal(got, wanted, what);
}

/** Five lines in the host, everything else by default: an applicant of the same origin. */
export async function firstScreen({ page, site, service }) {
  await page.goto(`${site}/`);
  const accept = button(page, "Agree and continue");
  await page.getByRole("heading", { name: "Terms & Conditions" }).waitFor();
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
  const picture = page.locator(".mu-viewer-page img");
  await picture.waitFor();
  await becomes("the page's picture", () => picture.evaluate((img) => img.naturalWidth > 0), true);
  await page.getByText("House rules").first().waitFor();
  await page.keyboard.press("Escape");

  await box(page, "Rules").check();
  await accept.click();
  await page.getByText("Your decision is recorded.").waitFor();
  const sent = [...service.submissions.values()].flat().map((body) => JSON.parse(body));
  assert.equal(sent.length, 1);
  assert.equal(sent[0].user_type, "APPLICANT");
  assert.deepEqual(
    sent[0].consents.map((consent) => [
      consent.terms_and_conditions_id,
      consent.accepted,
      consent.opened,
    ]),
    [
      [17, true, true],
      [18, false, false],
    ],
  );
}

/** The same five lines in a page that says it is Arabic. */
export async function arabicScreen({ page, site }) {
  await page.goto(`${site}/arabic.html`);
  await page.getByRole("heading", { name: "الشروط والأحكام" }).waitFor();
  assert.equal(await style(page.locator(".mu-consent"), "direction"), "rtl");
  const [tick, open] = await Promise.all(
    [box(page, "Rules"), button(page, "فتح Rules")].map((locator) => locator.boundingBox()),
  );
  assert(tick.x > open.x, "the box to tick is at the right, where reading begins");
}

/** Own fetching from another origin, own theme, own texts, and a language that we do not have. */
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
  await page.getByText("Niet verstuurd: er is geen verbinding").waitFor();
  assert(await box(page, "News").isChecked(), "the ticks stay");
  await button(page, "Opnieuw proberen").click();
  await page.locator("output", { hasText: /^receipt-/ }).waitFor();
  assert.equal(service.submissions.size, 1, "sent again with the same key");
  const [first, second] = [...service.submissions.values()][0];
  assert.equal(first, second, "and with the same content");
  assert.equal(JSON.parse(first).user_id, "rider-1");
  assert.equal(JSON.parse(first).app, "parcel-shop 1.0");
}

/** A document that is not ours is drawn by pdf.js, in the frame that the host serves. */
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
