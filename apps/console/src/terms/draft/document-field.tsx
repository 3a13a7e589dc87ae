import { Button } from "@musette/react/ui";
import { type FormEvent, useRef, useState } from "react";
import { fileSize } from "../../language/file-size";
import { useLanguage } from "../../language/language-context";
import { DropZone } from "../../ui/drop-zone";
import { documentOf, ReadDocuments } from "../read-documents";
import { useTermsTexts } from "../texts/texts";
import type { DraftVariant } from "./draft";
import styles from "./draft.module.css";
import type { DraftKeeper } from "./draft-keeper";
import { Findings } from "./findings";
import { ReasonField } from "./reason-field";
import { type Upload, useUpload } from "./use-upload";

interface DocumentFieldProps {
  readonly keeper: DraftKeeper;
  readonly variant: DraftVariant;
  readonly name: string;
  readonly id: string;
  readonly error: string | undefined;
}

/** The PDF of one language: choosing or dropping it, the upload, and the viewer. */
export function DocumentField({ keeper, variant, name, id, error }: DocumentFieldProps) {
  const draftTexts = useTermsTexts().draft;
  const { state, start, cancel } = useUpload(keeper, variant.locale);
  const picker = useRef<HTMLInputElement>(null);
  const { document } = variant;
  const isBusy = state !== undefined && state.kind !== "failed";
  return (
    <DropZone className={styles.documentField} onFile={start}>
      {isBusy ? (
        <UploadLine state={state} name={name} onCancel={cancel} />
      ) : (
        <div className={styles.documentChoose}>
          {document ? (
            <DocumentLine variant={variant} name={name} />
          ) : (
            <span className={styles.documentDrop}>{draftTexts.drop}</span>
          )}
          <Button
            kind="secondary"
            id={id}
            aria-label={`${document ? draftTexts.replaceFile : draftTexts.choose}: ${name}`}
            onClick={() => picker.current?.click()}
          >
            {document ? draftTexts.replaceFile : draftTexts.choose}
          </Button>
        </div>
      )}
      <input
        ref={picker}
        type="file"
        accept="application/pdf,.pdf"
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0];
          // Allows the same file to be chosen again after it was corrected.
          event.target.value = "";
          if (file) start(file);
        }}
      />
      {document && !isBusy && <Findings document={document} />}
      {state?.kind === "failed" && <UploadFailure failure={state} onTake={start} />}
      {error && !document && !isBusy && (
        <p className="failure" role="alert">
          {error}
        </p>
      )}
    </DropZone>
  );
}

interface UploadFailureProps {
  readonly failure: Extract<Upload, { kind: "failed" }>;
  readonly onTake: (file: File, reason: string) => void;
}

function UploadFailure({ failure, onTake }: UploadFailureProps) {
  const draftTexts = useTermsTexts().draft;
  const { code, detail, file } = failure;
  return (
    <>
      <p className="failure" role="alert">
        {draftTexts.uploadFailed[code] ?? draftTexts.uploadFailed.other}
        {detail && (
          <small>
            <bdi>{detail}</bdi>
          </small>
        )}
      </p>
      {file && <UploadWithReason onTake={(reason) => onTake(file, reason)} />}
    </>
  );
}

/** Uploads a file that cannot be rendered, with a reason. */
function UploadWithReason({ onTake }: { readonly onTake: (reason: string) => void }) {
  const draftTexts = useTermsTexts().draft;
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onTake(reason);
  };
  return (
    <form className={styles.takeAnyway} onSubmit={submit}>
      <ReasonField obstacle="unreadable_document" value={reason} onChange={setReason} />
      <Button type="submit" kind="secondary">
        {draftTexts.takeAnyway}
      </Button>
    </form>
  );
}

function DocumentLine({ variant, name }: Pick<DocumentFieldProps, "variant" | "name">) {
  const { draft: draftTexts, ...more } = useTermsTexts();
  const { tag } = useLanguage().language;
  const { document, title, locale } = variant;
  if (!document) return null;
  const { bytes, pages, sha256 } = document;
  return (
    <>
      <span className={styles.documentSays}>
        {draftTexts.documentIs(pages, pages.toLocaleString(tag), fileSize(bytes, tag))}
        {pages === 0 && <span className="note"> {draftTexts.notDrawn}</span>}
      </span>
      <ReadDocuments
        documents={[documentOf(locale, title || more.untitled, sha256)]}
        index={0}
        label={`${draftTexts.preview}: ${name}`}
      >
        {draftTexts.preview}
      </ReadDocuments>
    </>
  );
}

function UploadLine(props: {
  readonly state: Exclude<Upload, { kind: "failed" }>;
  readonly name: string;
  readonly onCancel: () => void;
}) {
  const draftTexts = useTermsTexts().draft;
  const { tag } = useLanguage().language;
  const { state, name } = props;
  const drawn = state.kind === "drawing" ? state.drawn : undefined;
  const part = state.kind === "sending" ? state.part : drawn && drawn.page / drawn.pages;
  const percent = new Intl.NumberFormat(tag, { style: "percent" });
  const says = {
    waiting: draftTexts.waiting,
    sending: draftTexts.uploading(percent.format(part ?? 0)),
    drawing: drawn
      ? draftTexts.drawingPage(drawn.page.toLocaleString(tag), drawn.pages.toLocaleString(tag))
      : draftTexts.drawing,
  };
  return (
    <div className={styles.upload}>
      <progress
        aria-label={draftTexts.progress(name)}
        max={1}
        {...(part !== undefined && { value: part })}
      />
      <span className={`${styles.uploadSays} note`} role="status">
        <bdi>{state.fileName}</bdi> · {says[state.kind]}
      </span>
      <Button kind="quiet" onClick={props.onCancel}>
        {draftTexts.cancelUpload}
      </Button>
    </div>
  );
}
