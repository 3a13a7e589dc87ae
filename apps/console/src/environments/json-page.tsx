import { Button } from "@musette/react/ui";
import { useMutation } from "@tanstack/react-query";
import { parseTree } from "jsonc-parser";
import { type ChangeEvent, useEffect, useId, useRef, useState } from "react";
import { api, type Tagged } from "../api/client";
import type { Wire } from "../api/wire";
import { withDefaults } from "../configuration/document/defaults";
import type { FlagsDocument } from "../configuration/document/document";
import { jsonError } from "../configuration/document/json-error";
import { FlagsFrame } from "../configuration/frame";
import { ReviewDialog } from "../configuration/review/review-dialog";
import { useReviewTexts } from "../configuration/review/texts/texts";
import { storedValue } from "../storage/storage";
import { toasts } from "../toast/toasts";
import bannerStyles from "../ui/banner.module.css";
import dialogStyles from "../ui/dialog.module.css";
import { ForRoles } from "../ui/for-roles";
import pageStyles from "../ui/page.module.css";
import quietStyles from "../ui/quiet-button.module.css";
import { FailureText } from "../ui/states";
import { CopyAll } from "./copy-all";
import styles from "./json.module.css";
import { lineOf, offsetOf } from "./pointer-lines";
import { useEnvironmentsTexts } from "./texts/texts";

export function JsonPage() {
  const texts = useEnvironmentsTexts();
  return (
    <FlagsFrame title={texts.jsonTitle} intro={texts.jsonIntro}>
      {(env, base) => <JsonEditor key={env} env={env} base={base} />}
    </FlagsFrame>
  );
}

interface JsonProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
}

interface Typed {
  readonly text: string;
  readonly base: Tagged<FlagsDocument>;
}

/** Keeps the typed text across a reload, together with the version that it is based on. */
function useTyped(env: string, base: Tagged<FlagsDocument>) {
  const place = storedValue(
    `musette.console.document/${env}`,
    (value) => (value as Typed | null) ?? undefined,
  );
  const [typed, setTyped] = useState(place.read);
  const [wasRestored] = useState(typed !== undefined);
  const change = (text: string | undefined) => {
    const next = text === undefined ? undefined : { text, base: typed?.base ?? base };
    place.write(next);
    setTyped(next);
  };
  const pretty = JSON.stringify(base.body, null, 2);
  return {
    text: typed?.text ?? pretty,
    madeOf: typed?.base ?? base,
    isChanged: typed !== undefined,
    wasRestored,
    change,
  };
}

function JsonEditor({ env, base }: JsonProps) {
  const texts = useEnvironmentsTexts();
  const { text, madeOf, isChanged, wasRestored, change } = useTyped(env, base);
  const area = useRef<HTMLTextAreaElement>(null);
  const [reviewed, setReviewed] = useState<FlagsDocument>();
  const syntax = isChanged ? jsonError(text) : undefined;
  const checking = useMutation({
    mutationFn: (body: Wire<"NewFlagConfiguration">) =>
      api.post("/api/admin/v1/environments/{environment}/check", {
        path: { environment: env },
        body,
      }),
  });
  const review = async () => {
    const document: FlagsDocument = JSON.parse(text);
    const result = await checking.mutateAsync(document).catch(() => undefined);
    if (result?.valid) setReviewed(withDefaults({ ...document, environment: env }));
  };
  const goTo = (offset: number) => {
    area.current?.focus();
    area.current?.setSelectionRange(offset, offset + 1);
    const line = Number.parseFloat(getComputedStyle(area.current ?? document.body).lineHeight);
    area.current?.scrollTo({ top: (lineOf(text, offset) - 4) * line });
  };
  const edit = (next: string | undefined) => {
    checking.reset();
    change(next);
  };

  return (
    <>
      <JsonTools env={env} base={base} text={text} onText={edit} />
      {isChanged && wasRestored && <p className={bannerStyles.banner}>{texts.jsonRestored}</p>}
      <div className="field">
        <textarea
          ref={area}
          className={styles.documentText}
          dir="ltr"
          spellCheck={false}
          autoCapitalize="off"
          aria-label={texts.jsonTitle}
          aria-invalid={syntax !== undefined || checking.data?.valid === false || undefined}
          value={text}
          onChange={(event) => edit(event.target.value)}
        />
      </div>
      {syntax && (
        <p className="failure" role="alert">
          {texts.noJson(String(syntax.line), String(syntax.column))}
          <small>
            <bdi>{syntax.detail}</bdi>
          </small>
        </p>
      )}
      <ForRoles task="flags" scope={env}>
        <div className={dialogStyles.buttons}>
          {isChanged && (
            <Button kind="secondary" onClick={() => edit(undefined)}>
              {texts.discard}
            </Button>
          )}
          <Button
            kind="secondary"
            disabled={syntax !== undefined}
            loading={checking.isPending}
            onClick={() => checking.mutate(JSON.parse(text))}
          >
            {texts.check}
          </Button>
          <Button disabled={!isChanged || syntax !== undefined} onClick={() => void review()}>
            {texts.review}
          </Button>
        </div>
      </ForRoles>
      {checking.isError && <FailureText error={checking.error} />}
      {checking.data && <CheckResult check={checking.data} text={text} onGo={goTo} />}
      {reviewed && (
        <ReviewDialog
          open
          environment={env}
          base={base}
          ancestor={madeOf.body}
          document={reviewed}
          onClose={() => setReviewed(undefined)}
          onProposed={() => edit(undefined)}
          onSaved={(version) => {
            setReviewed(undefined);
            edit(undefined);
            toasts.say(texts.savedAs(String(version)));
          }}
        />
      )}
    </>
  );
}

/** Shows each error with its line, and a button that goes there. */
function CheckResult(props: {
  readonly check: Wire<"CheckBody">;
  readonly text: string;
  readonly onGo: (offset: number) => void;
}) {
  const { check, text, onGo } = props;
  const texts = useEnvironmentsTexts();
  const reviewTexts = useReviewTexts();
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The result is below a long text.
    if (!check.valid) shown.current?.scrollIntoView({ block: "nearest" });
  }, [check]);
  if (check.valid) {
    return (
      <p role="status" className={`${bannerStyles.banner} ${styles.fine}`}>
        {texts.noErrors}
      </p>
    );
  }
  const tree = parseTree(text);
  return (
    <div ref={shown} className="failure" role="alert">
      <strong>{reviewTexts.errors(check.faults.length)}</strong>
      <ul className={styles.errorLines}>
        {check.faults.map(({ pointer, code, detail }) => {
          const offset = offsetOf(tree, pointer);
          return (
            <li key={`${pointer} ${code}`}>
              <button type="button" className={quietStyles.quiet} onClick={() => onGo(offset)}>
                {texts.line(String(lineOf(text, offset)))}
              </button>
              <span>
                {reviewTexts.errorCodes[code] ?? detail}
                <small>
                  <bdi>{detail}</bdi>
                </small>
                <code dir="ltr">{pointer || "/"}</code>
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function JsonTools(props: JsonProps & { text: string; onText: (text: string) => void }) {
  const { env, base, text, onText } = props;
  const texts = useEnvironmentsTexts();
  const id = useId();
  const url = useObjectUrl(text);
  const onFile = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    event.target.value = "";
    if (file) onText(await file.text());
  };
  return (
    <div className={pageStyles.bar}>
      <label className={`mu-button ${styles.fileButton}`} data-kind="secondary" htmlFor={id}>
        {texts.import}
        <input id={id} type="file" accept="application/json,.json" onChange={onFile} />
      </label>
      <a className="mu-button" data-kind="secondary" href={url} download={`flags-${env}.json`}>
        {texts.export}
      </a>
      <CopyAll env={env} base={base} />
    </div>
  );
}

function useObjectUrl(text: string): string {
  const [url, setUrl] = useState("");
  useEffect(() => {
    const created = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [text]);
  return url;
}
