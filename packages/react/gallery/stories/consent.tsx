import { keepPending } from "@musette/client/terms";
import { changesFirst } from "@musette/react/changes";
import { TermsConsent, type TermsConsentProps } from "@musette/react/consent";
import { answer, changedTerms, decided, terms } from "../fixtures";
import { drawn, find, goOffline, hurry, never, press, problem, type Story, until } from "../story";

type Props = TermsConsentProps;
type More = Partial<Omit<Story, "name" | "title" | "render">>;

const offline = async () => Promise.reject(new TypeError("Failed to fetch"));
const listed = () => until(() => find("[data-term='1']"));
const notice = () => until(() => find(".mu-trouble"));
const inDock = () => until(() => find(".mu-consent-dock .mu-trouble"));
const inState = (state: string) => () => until(() => find(`.mu-consent[data-state="${state}"]`));

/** What a story keeps on the device is found by its address, and so by no other story. */
const baseUrl = (name: string) => `/gallery/${name}`;

function story(
  name: string,
  title: string,
  props: Props | ((locale: string) => Props),
  { play = listed, ...more }: More = {},
): Story {
  return {
    name: `consent/${name}`,
    title,
    ...more,
    play,
    render: ({ locale }) => (
      <TermsConsent
        baseUrl={baseUrl(name)}
        locale={locale}
        onBack={() => {}}
        onClose={() => {}}
        fetchTerms={async () => terms(locale)}
        submitConsents={never}
        {...(typeof props === "function" ? props(locale) : props)}
      />
    ),
  };
}

async function agree(): Promise<void> {
  await press("[data-term=all] input");
  await press(".mu-consent-footer .mu-button");
}

/** All that differs between these. */
const DOCK = ".mu-consent-dock";

/** The press that fails, and the words for it. */
const failed = (
  name: string,
  title: string,
  error: () => unknown,
  props: Props = {},
  more?: More,
) =>
  story(
    `failed-${name}`,
    title,
    { submitConsents: async () => Promise.reject(error()), ...props },
    {
      picture: DOCK,
      ...more,
      async play() {
        await agree();
        await inDock();
      },
    },
  );

const DAY_MS = 24 * 3600_000;

/** A submission of an earlier screen, and what the server says to it. */
function pending(
  name: string,
  title: string,
  submitConsents: NonNullable<Props["submitConsents"]>,
  state: string,
  kept: { readonly daysAgo?: number; readonly unsent?: true } = {},
): Story {
  const { daysAgo = 1, unsent } = kept;
  return story(
    `pending-${name}`,
    title,
    { submitConsents },
    {
      prepare() {
        if (unsent) goOffline();
        return keepPending({
          key: `gallery-${name}`,
          body: "{}",
          userId: "",
          termsType: "FREELANCER",
          baseUrl: baseUrl(`pending-${name}`),
          at: Date.now() - daysAgo * DAY_MS,
          ...(unsent && { unsent }),
        });
      },
      picture: ".mu-consent-body",
      play: inState(state),
    },
  );
}

const rejecting = (error: unknown) => async () => Promise.reject(error);

/** First one answer, and another one when it is asked for again. */
function inTurn<T>(first: T, then: T): () => Promise<T> {
  let asked = 0;
  // Strict mode mounts twice, and asks once more.
  return async () => (asked++ < 1 ? first : then);
}

const lists: readonly Story[] = [
  story("loading", "Loading", { fetchTerms: never }, { play: inState("loading") }),
  story(
    "loading-slow",
    "Loading for 3 seconds",
    { fetchTerms: never },
    { prepare: () => hurry(3_000), play: inState("slow") },
  ),
  story("failed", "Could not be loaded", { fetchTerms: offline }, { play: notice }),
  story(
    "unknown-market",
    "An unknown market",
    { fetchTerms: async () => Promise.reject(problem(400, "unknown_market")) },
    { play: notice },
  ),
  story("empty", "No terms", { fetchTerms: async () => [] }, { play: inState("ready") }),
  story("list", "Nothing ticked", {}),
  story(
    "list-one",
    "One term",
    (locale) => ({ fetchTerms: async () => terms(locale).slice(0, 1) }),
    { picture: ".mu-terms", play: listed },
  ),
  story("list-partly", "Partly ticked", {}, { play: () => press("[data-term='1'] input") }),
  story("list-all", "All ticked", {}, { play: () => press("[data-term=all] input") }),
  story(
    "list-without-header",
    "Without a header",
    { onBack: undefined, onClose: undefined },
    { picture: "h1", play: listed },
  ),
  story(
    "list-other-language",
    "A document in another language",
    (locale) => ({ fetchTerms: async () => terms(locale === "de" ? "en" : "de") }),
    { picture: ".mu-terms", play: () => until(() => find(".mu-tag")) },
  ),
  story(
    "list-changed",
    "A term that has changed",
    (locale) => ({
      userId: "gallery-changed",
      fetchTerms: async () => changedTerms(locale),
      fetchConsents: async (user) => decided(user, { 1: true, 2: true, 3: false }),
      arrange: changesFirst(),
    }),
    { forced: true, play: () => until(() => find(".mu-changes")) },
  ),
  story(
    "list-earlier-unknown",
    "Earlier decisions could not be loaded",
    { userId: "gallery-unknown", fetchConsents: offline },
    { picture: ".mu-trouble", play: notice },
  ),
  story(
    "list-cleared",
    "After 15 minutes without a touch",
    {},
    {
      picture: ".mu-consent-body > p[role=status]",
      async play() {
        await press("[data-term='1'] input");
        await until(() => find("[data-term='1'] input:checked"));
        // What listens for it comes later than the list.
        await import("../../src/consent/deferred");
        await drawn();
        dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
        await until(() => find(".mu-consent-body > p[role=status]"));
      },
    },
  ),
];

const sending: readonly Story[] = [
  story(
    "sending",
    "Sending",
    {},
    {
      picture: DOCK,
      forced: true,
      async play() {
        await agree();
        await until(() => find(".mu-button[data-loading]"));
      },
    },
  ),
  story(
    "sent",
    "Sent, and recorded",
    { submitConsents: async () => answer },
    {
      picture: DOCK,
      async play() {
        await agree();
        await until(() => find(".mu-consent-footer p:not(:empty)"));
        await until(() => !find(".mu-button[data-loading]"));
      },
    },
  ),
  failed("offline", "No answer", () => new TypeError("Failed to fetch")),
  failed(
    "unsent",
    "Offline: kept, and not sent",
    () => new TypeError("Failed to fetch"),
    {},
    { prepare: goOffline, forced: true },
  ),
  story(
    "failed-slow",
    "No answer for 15 seconds",
    {},
    {
      picture: DOCK,
      prepare: () => hurry(15_000),
      async play() {
        await agree();
        await inDock();
      },
    },
  ),
  failed("changed", "The terms have changed", () => problem(409, "terms_changed")),
  story(
    "failed-reticked",
    "The ticks have changed meanwhile",
    {
      userId: "gallery-reticked",
      fetchConsents: inTurn(
        decided("gallery-reticked", { 3: true }),
        decided("gallery-reticked", { 3: false }),
      ),
    },
    {
      picture: DOCK,
      async play() {
        for (const id of [1, 2]) await press(`[data-term="${id}"] input`);
        await press(".mu-consent-footer .mu-button");
        await inDock();
      },
    },
  ),
  failed("signed-out", "Signed out", () => problem(401)),
  failed("rate-limited", "Too many tries", () =>
    problem(429, "rate_limited", { "retry-after": "17" }),
  ),
  failed("clock", "The clock is ahead", () => problem(400, "consented_at_in_future")),
  failed("refused", "Not accepted", () => problem(400, "malformed")),
  failed("server", "A fault of the server", () => problem(503)),
];

const waiting: readonly Story[] = [
  pending("sending", "From before: being sent", never, "replaying"),
  pending("unanswered", "From before: no answer", offline, "unanswered"),
  pending("unsent", "From before: kept, and not sent", offline, "unanswered", { unsent: true }),
  pending("signed-out", "From before: signed out", rejecting(problem(401)), "unanswered"),
  pending("expired", "From before: too long ago", never, "expired", { daysAgo: 8 }),
  pending(
    "refused",
    "From before: the terms had changed",
    rejecting(problem(409, "terms_changed")),
    "refused",
  ),
  pending("whose", "From before: whose was it?", async () => answer, "ownerUnknown"),
];

export const consent: readonly Story[] = [...lists, ...sending, ...waiting];
