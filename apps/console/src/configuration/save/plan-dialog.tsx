import { Button, Modal } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { api, type Tagged } from "../../api/client";
import { timeZone } from "../../language/dates";
import { useLanguage } from "../../language/language-context";
import { toasts } from "../../toast/toasts";
import { InstantField } from "../../ui/instant-field";
import { FailureText } from "../../ui/states";
import { type Flag, type FlagsDocument, withFlag } from "../document/document";
import { environmentKey } from "../document/flags-document";
import { useConfigurationTexts } from "../texts/texts";
import styles from "./plan-dialog.module.css";

interface PlanProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
  /** Chosen in the dialog, where none is given. */
  readonly flag?: Flag;
  /** The document with what is being edited, if anything is. */
  readonly edited?: FlagsDocument | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Lets a change become current by itself, at a time that is chosen now. */
export function PlanDialog(props: PlanProps) {
  const words = useConfigurationTexts();
  return (
    <Modal open={props.open} onClose={props.onClose} label={words.planTitle}>
      {props.open && <Plan {...props} />}
    </Modal>
  );
}

type What = "on" | "off" | "edited";

/** The next full hour but one: nobody has to count back from it. */
function soon(): string {
  const hour = 3_600_000;
  return new Date(Math.ceil(Date.now() / hour + 1) * hour).toISOString();
}

function Plan({ env, base, flag, edited, onClose }: PlanProps) {
  const words = useConfigurationTexts();
  const { texts } = useLanguage();
  const client = useQueryClient();
  const id = useId();
  const [key, setKey] = useState(flag?.key ?? "");
  const found = base.body.flags.find((it) => it.key === key.trim());
  const [chosen, setWhat] = useState<What>();
  const what = chosen ?? (edited ? "edited" : found?.on ? "off" : "on");
  const [at, setAt] = useState(soon);
  const [comment, setComment] = useState("");

  const planning = useMutation({
    mutationFn: (it: Flag) =>
      api.post("/api/admin/v1/environments/{environment}/changes", {
        path: { environment: env },
        ifMatch: base.etag,
        body: {
          at,
          comment: comment.trim() || words.planned[what === "edited" ? "edited" : what](it.key),
          document:
            what === "edited" && edited
              ? edited
              : withFlag(base.body, { ...it, on: what === "on" }),
        },
      }),
    onSuccess: () => {
      toasts.say(words.isPlanned);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: environmentKey(env) }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (found) planning.mutate(found);
  };
  return (
    <form className="confirm" onSubmit={submit}>
      <h2>{words.planTitle}</h2>
      <FlagChoice flag={flag} flags={base.body.flags} value={key} onChange={setKey} />
      <fieldset className={styles.planWhat}>
        <legend>{words.planWhat}</legend>
        {([...(edited ? ["edited"] : []), "on", "off"] as readonly What[]).map((it) => (
          <label key={it}>
            <input type="radio" name={id} checked={what === it} onChange={() => setWhat(it)} />
            {words.whats[it]}
          </label>
        ))}
      </fieldset>
      <div className="field">
        <span className="label">{words.planAt}</span>
        <InstantField label={words.planAt} value={at} onChange={setAt} />
        <p className="note">{words.inZone(timeZone())}</p>
      </div>
      <div className="field">
        <label htmlFor={`${id}why`}>{words.comment}</label>
        <input
          id={`${id}why`}
          dir="auto"
          maxLength={1000}
          value={comment}
          onChange={(event) => setComment(event.target.value)}
        />
      </div>
      <p className="note">{words.planHint}</p>
      {planning.isError && <FailureText error={planning.error} />}
      <div className="buttons">
        <Button kind="secondary" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button type="submit" loading={planning.isPending} disabled={!found || !at}>
          {words.planIt}
        </Button>
      </div>
    </form>
  );
}

const OFFERED = 50;

function FlagChoice(props: {
  readonly flag: Flag | undefined;
  readonly flags: readonly Flag[];
  readonly value: string;
  readonly onChange: (key: string) => void;
}) {
  const words = useConfigurationTexts();
  const id = useId();
  const fitting = props.flags.filter(({ key }) => key.includes(props.value.trim()));
  if (props.flag) {
    return (
      <p>
        <bdi className="mono">{props.flag.key}</bdi>
      </p>
    );
  }
  return (
    <div className="field">
      <label htmlFor={id}>{words.flag}</label>
      <input
        id={id}
        list={`${id}flags`}
        autoComplete="off"
        spellCheck={false}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <datalist id={`${id}flags`}>
        {fitting.slice(0, OFFERED).map(({ key }) => (
          <option key={key} value={key} />
        ))}
      </datalist>
    </div>
  );
}
