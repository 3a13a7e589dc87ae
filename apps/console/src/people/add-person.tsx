import { HttpError } from "@musette/client/http";
import { Button, Modal } from "@musette/react/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { entersConsole } from "../api/grants";
import { useMay, useOnlyWithin } from "../api/use-may";
import { MarketField } from "../markets/market-field";
import { marketsQuery } from "../markets/markets-query";
import { useMarketsTexts } from "../markets/texts/texts";
import { toasts } from "../toast/toasts";
import dialogStyles from "../ui/dialog.module.css";
import { DialogForm } from "../ui/dialog-form";
import { Field } from "../ui/field";
import quietStyles from "../ui/quiet-button.module.css";
import { emptyDraft, nonEmptyDraft, type PersonDraft, personDraft } from "./draft";
import { OneTimeLinkShown } from "./one-time-link";
import styles from "./people.module.css";
import { addPerson, type OneTimeLink, PEOPLE, type Person } from "./people-queries";
import { RoleBoxes } from "./role-boxes";
import { usePeopleTexts } from "./texts/texts";

interface AddPersonProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** The roles ticked in a new form. */
  readonly roles?: readonly string[];
}

/** Adds a person. The typed text survives a reload. */
export function AddPerson({ open, onClose, roles = ["rider"] }: AddPersonProps) {
  const texts = usePeopleTexts();
  return (
    <Modal open={open} onClose={onClose} label={texts.add}>
      <AddPersonForm onClose={onClose} roles={roles} />
    </Modal>
  );
}

function AddPersonForm({ onClose, roles }: Required<Omit<AddPersonProps, "open">>) {
  const texts = usePeopleTexts();
  const client = useQueryClient();
  const [restored, setRestored] = useState(personDraft.read);
  // A person who manages only one market can only add people there.
  const [market] = useOnlyWithin("people");
  const may = useMay();
  const [draft, setDraft] = useState(restored ?? emptyDraft(roles, market));
  useEffect(() => personDraft.write(nonEmptyDraft(draft)), [draft]);

  const adding = useMutation({
    mutationFn: addPerson,
    onSuccess(added) {
      personDraft.write(undefined);
      void client.invalidateQueries({ queryKey: [PEOPLE] });
      if (added?.sign_in_link) return;
      toasts.say(texts.added(draft.userId.trim()));
      onClose();
    },
  });
  if (adding.data?.sign_in_link) {
    return <Added person={adding.data} link={adding.data.sign_in_link} onClose={onClose} />;
  }
  const change = (part: Partial<PersonDraft>) => setDraft((former) => ({ ...former, ...part }));
  const submit = () => {
    const text = (name: "name" | "email" | "phone" | "market") => draft[name].trim();
    adding.mutate({
      user_id: draft.userId.trim(),
      ...(text("name") && { name: text("name") }),
      ...(text("email") && { email: text("email") }),
      ...(text("phone") && { phone: text("phone") }),
      ...(text("market") && { market: text("market") }),
      roles: draft.roles,
    });
  };
  const errors = errorsOf(adding.error);
  return (
    <DialogForm
      title={texts.add}
      action={texts.add}
      isBusy={adding.isPending}
      isDisabled={draft.roles.length === 0 || !may("people", draft.market.trim())}
      error={errors.size === 0 ? adding.error : undefined}
      onSubmit={submit}
      onCancel={onClose}
    >
      {restored && (
        <RestoredNotice
          onStartOver={() => {
            setRestored(undefined);
            setDraft(emptyDraft(roles, market));
          }}
        />
      )}
      <PersonFields draft={draft} errors={errors} onChange={change} />
    </DialogForm>
  );
}

function RestoredNotice({ onStartOver }: { readonly onStartOver: () => void }) {
  const texts = usePeopleTexts();
  return (
    <p className={styles.keptDraft}>
      {texts.keptDraft}{" "}
      <button type="button" className={quietStyles.quiet} onClick={onStartOver}>
        {texts.startOver}
      </button>
    </p>
  );
}

interface PersonFieldsProps {
  readonly draft: PersonDraft;
  /** The fields with errors from the server. */
  readonly errors: ReadonlySet<string>;
  readonly onChange: (part: Partial<PersonDraft>) => void;
}

function PersonFields({ draft, errors, onChange }: PersonFieldsProps) {
  const texts = usePeopleTexts();
  const marketTexts = useMarketsTexts();
  const markets = useQuery(marketsQuery).data ?? [];
  const isNarrowed = useOnlyWithin("people").length > 0;
  return (
    <>
      <Field
        label={texts.userId}
        hint={texts.userIdHint}
        value={draft.userId}
        maxLength={128}
        autoComplete="off"
        spellCheck={false}
        error={errors.has("/user_id") ? texts.errors.userId : undefined}
        onChange={(userId) => onChange({ userId })}
      />
      <Field
        label={texts.name}
        required={false}
        value={draft.name}
        maxLength={200}
        autoComplete="off"
        onChange={(name) => onChange({ name })}
      />
      <Field
        label={texts.email}
        required={entersConsole(draft.roles)}
        type="email"
        value={draft.email}
        autoComplete="off"
        error={errors.has("/email") ? texts.errors.email : undefined}
        onChange={(email) => onChange({ email })}
      />
      <Field
        label={texts.phone}
        hint={texts.phoneHint}
        required={false}
        type="tel"
        value={draft.phone}
        autoComplete="off"
        error={errors.has("/phone") ? texts.errors.phone : undefined}
        onChange={(phone) => onChange({ phone })}
      />
      {(markets.length > 0 || draft.market || isNarrowed) && (
        <MarketField
          task="people"
          value={draft.market}
          error={errors.has("/market") ? marketTexts.noCode : undefined}
          onChange={(market) => onChange({ market })}
        />
      )}
      <RoleBoxes roles={draft.roles} onChange={(roles) => onChange({ roles })} />
    </>
  );
}

interface AddedProps {
  readonly person: Person;
  readonly link: OneTimeLink;
  readonly onClose: () => void;
}

function Added({ person: { user_id: userId }, link, onClose }: AddedProps) {
  const texts = usePeopleTexts();
  return (
    <div className={dialogStyles.confirm}>
      <h2>{texts.added(userId)}</h2>
      <OneTimeLinkShown link={link} />
      <div className={dialogStyles.buttons}>
        <Link className="mu-button" data-kind="secondary" to="/people/$userId" params={{ userId }}>
          {texts.show}
        </Link>
        <Button onClick={onClose}>{texts.done}</Button>
      </div>
    </div>
  );
}

function errorsOf(error: unknown): ReadonlySet<string> {
  const errors = error instanceof HttpError ? error.problem?.errors : undefined;
  return new Set(errors?.map(({ pointer }) => pointer));
}
