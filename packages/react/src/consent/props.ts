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

export interface TermsConsentProps {
  /** Of a rider; an applicant has none. */
  readonly userId?: string | undefined;
  readonly termsType?: string | undefined;
  readonly onBack?: (() => void) | undefined;
  readonly onClose?: (() => void) | undefined;
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

  readonly fetchTerms?: ((query: TermsQuery) => Promise<readonly Term[]>) | undefined;
  readonly fetchConsents?: ((userId: string) => Promise<ConsentList>) | undefined;
  readonly submitConsents?:
    | ((submission: Submission, options: SubmitOptions) => Promise<SubmissionAnswer>)
    | undefined;
  readonly baseUrl?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;

  /** Where the host serves the page that draws documents which are not ours. */
  readonly pdfFrameUrl?: string | undefined;

  /** Another way to show the list: `changesFirst` of `@musette/react/changes`. */
  readonly arrange?: Arrange | undefined;

  readonly partialClick?: PartialClick | undefined;
  /** Name and version of the host, kept with the decision as evidence. */
  readonly app?: string | undefined;
}
