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
  /** The user id of a rider. Without it the user is an applicant. */
  readonly userId?: string | undefined;
  /** The type of terms. The screen always shows `MARKETING` terms too. Default `FREELANCER`. */
  readonly termsType?: string | undefined;
  /**
   * The market in which an applicant wants to work, such as `DE-BE`: a country, a subdivision, or a declared place
   * in one of them. Without it, the screen shows only the terms for all markets. Ignored with a `userId`, because
   * the account has its own market.
   */
  readonly market?: string | undefined;
  /** Adds a back button to the header. */
  readonly onBack?: (() => void) | undefined;
  /** Adds a close button to the header. */
  readonly onClose?: (() => void) | undefined;
  /** Called after the server has recorded the decision. For a decision sent before a reload, it may be called on mount. */
  readonly onAccepted?: ((answer: SubmissionAnswer) => void) | undefined;

  /** The title. Default: the text of the language. */
  readonly title?: string | undefined;
  /** The text below the title. */
  readonly description?: string | undefined;
  /** The label of "agree to all". */
  readonly agreeAllLabel?: string | undefined;
  /** The label of optional terms. */
  readonly optionalLabel?: string | undefined;
  /** The label of the button. */
  readonly acceptLabel?: string | undefined;
  /** Any other text of the consent screen and of the document viewer. */
  readonly texts?: TextOverrides | undefined;
  /** The language of the texts and of the terms. Default: the language of the page. */
  readonly locale?: string | undefined;

  /**
   * The terms with which a server rendered the page. The first render shows them, also on a server, while the
   * screen fetches the current list. They must equal the result of `fetchTerms` for the same `userId`,
   * `termsType`, `market` and `locale`.
   */
  readonly initialTerms?: readonly Term[] | undefined;
  /** Replaces the request for the terms. It must reject with an error that has a `status`. */
  readonly fetchTerms?: ((query: TermsQuery) => Promise<readonly Term[]>) | undefined;
  /** Replaces the request for the earlier decisions. After 3 s without a result they count as unknown. */
  readonly fetchConsents?: ((userId: string) => Promise<ConsentList>) | undefined;
  /** Replaces the request that submits. Called again with the same two values if a response was lost. */
  readonly submitConsents?:
    | ((submission: Submission, options: SubmitOptions) => Promise<SubmissionAnswer>)
    | undefined;
  /** The address of the terms API. Default `/api/rooster/v3`. */
  readonly baseUrl?: string | undefined;
  /** The `fetch` of a session. Default: the `fetch` of the browser. */
  readonly fetch?: typeof globalThis.fetch | undefined;

  /** The page that renders PDFs which Musette does not serve. Default `/viewer/frame.html`. */
  readonly pdfFrameUrl?: string | undefined;

  /** Changes the order and presentation of the list, such as `changesFirst()` of `@musette/react/changes`. */
  readonly arrange?: Arrange | undefined;

  /** The effect of a click on a partly ticked "agree to all". Default `tick`. */
  readonly partialClick?: PartialClick | undefined;
  /** The name and version of your application, stored with the decision as evidence. */
  readonly app?: string | undefined;
}
