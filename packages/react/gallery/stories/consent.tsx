import { keepPending } from "@musette/client/terms";
import { changesFirst } from "@musette/react/changes";
import { TermsConsent, type TermsConsentProps } from "@musette/react/consent";
import { answer, changedTerms, decided, terms } from "../fixtures";
import { drawn, find, goOffline, hurry, never, press, problem, type Story, until } from "../story";

type Props = TermsConsentProps;
type More = Partial<Omit<Story, "name" | "title" | "render">>;

const offline = async () => Promise.reject(new TypeError("Failed to fetch"));
const listed = () => until(() => find("[data-term='1']"));
const notice = () => until(() => find(".mu-error"));
const inDock = () => until(() => find(".mu-consent-dock .mu-error"));
const inState = (state: string) => () => until(() => find(`.mu-consent[data-state="${state}"]`));

/** Returns the base address of a story. Stored submissions are separated by it. */
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

/** The part in which these stories differ. */
const DOCK = ".mu-consent-dock";

/** Creates a story in which the submission fails, with its message. */
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

/** Creates a story with a submission of an earlier screen and the response of the server. */
function pending(
  name: string,
  title: string,
  submitConsents: NonNullable<Props["submitConsents"]>,
  state: string,
  submission: { readonly daysAgo?: number; readonly unsent?: true } = {},
): Story {
  const { daysAgo = 1, unsent } = submission;
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

/** Returns a function whose first call resolves to `first`, and later calls to `then`. */
function sequence<T>(first: T, then: T): () => Promise<T> {
  let calls = 0;
  return async () => (calls++ < 1 ? first : then);
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
    { picture: ".mu-error", play: notice },
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
        // The listener is in a chunk that loads after the list.
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
  failed("offline", "No response", () => new TypeError("Failed to fetch")),
  failed(
    "unsent",
    "Offline: stored, not sent",
    () => new TypeError("Failed to fetch"),
    {},
    { prepare: goOffline, forced: true },
  ),
  story(
    "failed-slow",
    "No response for 15 seconds",
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
      fetchConsents: sequence(
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
  failed("server", "A server error", () => problem(503)),
];

const waiting: readonly Story[] = [
  pending("sending", "Earlier submission: sending", never, "replaying"),
  pending("unanswered", "Earlier submission: no response", offline, "unanswered"),
  pending("unsent", "Earlier submission: stored, not sent", offline, "unanswered", {
    unsent: true,
  }),
  pending("signed-out", "Earlier submission: signed out", rejecting(problem(401)), "unanswered"),
  pending("expired", "Earlier submission: expired", never, "expired", { daysAgo: 8 }),
  pending(
    "refused",
    "Earlier submission: the terms had changed",
    rejecting(problem(409, "terms_changed")),
    "refused",
  ),
  pending("whose", "Earlier submission: unknown owner", async () => answer, "ownerUnknown"),
];

export const consent: readonly Story[] = [...lists, ...sending, ...waiting];
