import { HttpError } from "@musette/client/http";
import { Button, Modal } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { useLanguage } from "../language/language-context";
import { Field } from "../shell/field";
import { FailureText } from "../shell/states";
import { toasts } from "../toast/toasts";
import { dropDraft, emptyDraft, type PersonDraft, readDraft, writeDraft } from "./draft";
import { OneTimeLinkShown } from "./one-time-link";
import { addPerson } from "./people-queries";
import type { Role } from "./people-search";
import { RoleBoxes } from "./role-boxes";
import { usePeopleTexts } from "./texts/texts";

interface AddPersonProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** What is ticked in a new form. */
  readonly roles?: readonly Role[];
}

/** One person more. What was typed survives a reload. */
export function AddPerson({ open, onClose, roles = ["rider"] }: AddPersonProps) {
  const words = usePeopleTexts();
  return (
    <Modal open={open} onClose={onClose} label={words.add}>
      <AddPersonForm onClose={onClose} roles={roles} />
    </Modal>
  );
}

function AddPersonForm({ onClose, roles }: Required<Omit<AddPersonProps, "open">>) {
  const words = usePeopleTexts();
  const { texts } = useLanguage();
  const client = useQueryClient();
  const [kept, setKept] = useState(readDraft);
  const [draft, setDraft] = useState(kept ?? emptyDraft(roles));
  useEffect(() => writeDraft(draft), [draft]);

  const adding = useMutation({
    mutationFn: addPerson,
    onSuccess(added) {
      dropDraft();
      void client.invalidateQueries({ queryKey: ["/people"] });
      if (added?.sign_in_link) return;
      toasts.say(words.added(draft.userId.trim()));
      onClose();
    },
  });
  if (adding.isSuccess && adding.data?.sign_in_link) {
    return (
      <div className="confirm">
        <h2>{words.added(adding.data.user_id)}</h2>
        <OneTimeLinkShown link={adding.data.sign_in_link} />
        <div className="buttons">
          <Link
            className="mu-button"
            data-kind="secondary"
            to="/people/$userId"
            params={{ userId: adding.data.user_id }}
          >
            {words.show}
          </Link>
          <Button onClick={onClose}>{words.done}</Button>
        </div>
      </div>
    );
  }
  const change = (part: Partial<PersonDraft>) => setDraft((former) => ({ ...former, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = (name: "name" | "email" | "phone") => draft[name].trim();
    adding.mutate({
      user_id: draft.userId.trim(),
      ...(text("name") && { name: text("name") }),
      ...(text("email") && { email: text("email") }),
      ...(text("phone") && { phone: text("phone") }),
      roles: draft.roles,
    });
  };
  const faults = faultsOf(adding.error);
  return (
    <form className="confirm" onSubmit={submit}>
      <h2>{words.add}</h2>
      {kept && (
        <p className="kept-draft">
          {words.keptDraft}{" "}
          <button
            type="button"
            className="quiet"
            onClick={() => {
              setKept(undefined);
              setDraft(emptyDraft(roles));
            }}
          >
            {words.startOver}
          </button>
        </p>
      )}
      <Field
        label={words.userId}
        hint={words.userIdHint}
        value={draft.userId}
        maxLength={128}
        autoComplete="off"
        spellCheck={false}
        fault={faults.has("/user_id") ? words.faults.userId : undefined}
        onChange={(userId) => change({ userId })}
      />
      <Field
        label={words.name}
        required={false}
        value={draft.name}
        maxLength={200}
        autoComplete="off"
        onChange={(name) => change({ name })}
      />
      <Field
        label={words.email}
        required={draft.roles.some((role) => role === "operator" || role === "admin")}
        type="email"
        value={draft.email}
        autoComplete="off"
        fault={faults.has("/email") ? words.faults.email : undefined}
        onChange={(email) => change({ email })}
      />
      <Field
        label={words.phone}
        hint={words.phoneHint}
        required={false}
        type="tel"
        value={draft.phone}
        autoComplete="off"
        fault={faults.has("/phone") ? words.faults.phone : undefined}
        onChange={(phone) => change({ phone })}
      />
      <RoleBoxes roles={draft.roles} onChange={(roles) => change({ roles })} />
      {adding.isError && faults.size === 0 && <FailureText error={adding.error} />}
      <div className="buttons">
        <Button kind="secondary" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button type="submit" loading={adding.isPending} disabled={draft.roles.length === 0}>
          {words.add}
        </Button>
      </div>
    </form>
  );
}

function faultsOf(error: unknown): ReadonlySet<string> {
  const errors = error instanceof HttpError ? error.problem?.errors : undefined;
  return new Set(errors?.map(({ pointer }) => pointer));
}
