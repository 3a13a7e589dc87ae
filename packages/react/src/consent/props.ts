import type {
  ConsentList,
  PartialClick,
  Submission,
  SubmissionAnswer,
  SubmitOptions,
  Term,
  TermsQuery,
} from "@musette/client/terms";
import type { TextOverrides } from "../texts";
import type { Arrange } from "./arrangement";

/** Props of `TermsConsent`. Each has a default. */
export interface TermsConsentProps {
  /** The user id of a rider; without it the screen serves an applicant. */
  readonly userId?: string | undefined;
  /** The type of terms, asked for together with `MARKETING`. Default `FREELANCER`. */
  readonly termsType?: string | undefined;
  /**
   * Where an applicant wants to work, such as `DE-BE`: a country, a subdivision, or a declared place in either. Without
   * it they see the terms for everywhere. Ignored with a `userId`: the account has its own.
   */
  readonly market?: string | undefined;
  /** Adds a back button to the header. */
  readonly onBack?: (() => void) | undefined;
  /** Adds a close button to the header. */
  readonly onClose?: (() => void) | undefined;
  /** Called when the decision is on the server's disk; perhaps at once, for one that was sent before a reload. */
  readonly onAccepted?: ((answer: SubmissionAnswer) => void) | undefined;

  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly agreeAllLabel?: string | undefined;
  readonly optionalLabel?: string | undefined;
  readonly acceptLabel?: string | undefined;
  /** Any other text, of the consent screen and of the viewer. */
  readonly texts?: TextOverrides | undefined;
  /** The language of the words and of the terms. Without it that of the page. */
  readonly locale?: string | undefined;

  /**
   * Terms in the page that the server made: the list is there at the first drawing, also on a server, and is asked for
   * meanwhile. They must be those that `fetchTerms` would give for the same `userId`, `termsType`, `market` and `locale`.
   */
  readonly initialTerms?: readonly Term[] | undefined;
  /** The host's own fetching of the terms. Rejects with an error that has a `status`. */
  readonly fetchTerms?: ((query: TermsQuery) => Promise<readonly Term[]>) | undefined;
  /** The host's own fetching of the earlier decisions. After 3 s they count as not known. */
  readonly fetchConsents?: ((userId: string) => Promise<ConsentList>) | undefined;
  /** The host's own submitting. Called again with the same two values when an answer was lost. */
  readonly submitConsents?:
    | ((submission: Submission, options: SubmitOptions) => Promise<SubmissionAnswer>)
    | undefined;
  /** Default `/api/rooster/v3`. */
  readonly baseUrl?: string | undefined;
  /** The `fetch` of a session. Default: the browser's own. */
  readonly fetch?: typeof globalThis.fetch | undefined;

  /** Where the host serves the page that draws documents which are not ours. Default `/viewer/frame.html`. */
  readonly pdfFrameUrl?: string | undefined;

  /** Another way to show the list: `changesFirst` of `@musette/react/changes`. */
  readonly arrange?: Arrange | undefined;

  /** What a click on a partly ticked "agree to all" does. Default `tick`. */
  readonly partialClick?: PartialClick | undefined;
  /** Name and version of the host, kept with the decision as evidence. */
  readonly app?: string | undefined;
}
