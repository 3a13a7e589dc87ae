import { HttpError } from "@musette/client/http";
import { Modal } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toasts } from "../toast/toasts";
import { DialogForm } from "../ui/dialog-form";
import { Field } from "../ui/field";
import { isMarketCode } from "./code";
import { MARKETS, type Market, saveMarket } from "./markets-query";
import { useMarketsTexts } from "./texts/texts";

interface MarketDialogProps {
  /** Absent: the dialog is closed. With an empty code: a new market. */
  readonly market: Market | undefined;
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

export function MarketDialog({ market, ...props }: MarketDialogProps) {
  const texts = useMarketsTexts();
  const label = market?.code ? texts.editThis(market.code) : texts.add;
  return (
    <Modal open={market !== undefined} onClose={props.onClose} label={label}>
      {market && <MarketForm {...props} market={market} />}
    </Modal>
  );
}

const ZONES = Intl.supportedValuesOf("timeZone");

function MarketForm(props: MarketDialogProps & { readonly market: Market }) {
  const { market, taken, onClose } = props;
  const texts = useMarketsTexts();
  const client = useQueryClient();
  const isNew = market.code === "";
  const [code, setCode] = useState(market.code);
  const [name, setName] = useState(market.name ?? "");
  const [timezone, setTimezone] = useState(market.timezone ?? "");
  const saving = useMutation({
    mutationFn: saveMarket,
    async onSuccess() {
      toasts.say(texts.saved(code));
      onClose();
      await client.invalidateQueries({ queryKey: [MARKETS] });
    },
  });
  const isTaken = isNew && taken.includes(code.trim());
  const isCode = isMarketCode(code.trim());
  const problem = saving.error instanceof HttpError ? saving.error.problem : undefined;
  const isUnassigned = problem?.code === "invalid_market";
  const isNoZone = problem?.errors?.some(({ pointer }) => pointer === "/timezone") ?? false;
  const codeError = () => {
    if (isTaken) return texts.taken;
    if (isUnassigned) return texts.unassigned;
    return code && !isCode ? texts.noCode : undefined;
  };
  return (
    <DialogForm
      title={isNew ? texts.add : texts.editThis(market.code)}
      action={isNew ? texts.add : texts.save}
      isBusy={saving.isPending}
      isDisabled={!isCode || isTaken}
      error={isUnassigned || isNoZone ? undefined : saving.error}
      onSubmit={() =>
        saving.mutate({
          code: code.trim(),
          name: name.trim(),
          timezone: timezone.trim(),
          locale: market.locale,
        })
      }
      onCancel={onClose}
    >
      {isNew && (
        <Field
          label={texts.code}
          hint={texts.codeHint}
          error={codeError()}
          dir="ltr"
          maxLength={48}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={code}
          onChange={(next) => {
            saving.reset();
            setCode(next);
          }}
        />
      )}
      <Field
        label={texts.name}
        hint={texts.nameHint}
        required={false}
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      <Field
        label={texts.timezone}
        hint={texts.timezoneHint}
        error={isNoZone ? texts.noTimezone : undefined}
        options={ZONES}
        required={false}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        value={timezone}
        onChange={(next) => {
          saving.reset();
          setTimezone(next);
        }}
      />
    </DialogForm>
  );
}
