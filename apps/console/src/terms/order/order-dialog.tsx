import { Button, Modal } from "@musette/react/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { approvalRequired } from "../../api/approval-required";
import type { Tagged } from "../../api/client";
import { useLanguage } from "../../language/language-context";
import { toasts } from "../../toast/toasts";
import dialogStyles from "../../ui/dialog.module.css";
import { ProposeInstead } from "../../ui/propose-instead";
import { Skeleton } from "../../ui/skeleton";
import { FailureText, LoadFailed } from "../../ui/states";
import { useTermsTexts } from "../texts/texts";
import styles from "./order.module.css";
import { type OrderedTerm, readOrder, restoreOrder, revisionOf, writeOrder } from "./order-calls";
import { OrderList } from "./order-list";

interface OrderDialogProps {
  readonly type: string;
  /** In the reader's language, by the number of the version. */
  readonly titles: ReadonlyMap<number, string>;
}

/**
 * Changes the order in which riders see the documents of one type. The order is not part of what
 * they agree to.
 */
export function OrderDialog({ type, titles }: OrderDialogProps) {
  const { order: orderTexts } = useTermsTexts();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {orderTexts.change}
      </Button>
      <Modal open={isOpen} onClose={close} label={orderTexts.change}>
        <Order type={type} titles={titles} onClose={close} />
      </Modal>
    </>
  );
}

interface OrderProps extends OrderDialogProps {
  readonly onClose: () => void;
}

function Order(props: OrderProps) {
  const { order: orderTexts } = useTermsTexts();
  const order = useQuery({
    queryKey: ["terms", "order", props.type],
    queryFn: () => readOrder(props.type),
    // Fetched when it is opened. A later fetch must not undo the moves.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <div className={styles.order}>
      <h2>{orderTexts.change}</h2>
      <p className="note">{orderTexts.hint}</p>
      {order.isPending && <Skeleton rows={4} />}
      {order.isError && <LoadFailed error={order.error} onRetry={order.refetch} />}
      {order.isSuccess && (
        <OrderForm
          {...props}
          key={order.data.etag}
          read={{ etag: order.data.etag, body: order.data.body.items }}
          onReread={order.refetch}
        />
      )}
    </div>
  );
}

interface OrderFormProps extends OrderProps {
  readonly read: Tagged<readonly OrderedTerm[]>;
  readonly onReread: () => unknown;
}

function OrderForm({ type, titles, read, onReread, onClose }: OrderFormProps) {
  const { order: orderTexts } = useTermsTexts();
  const { texts } = useLanguage();
  const client = useQueryClient();
  const [items, setItems] = useState(read.body);
  const again = () => client.invalidateQueries({ queryKey: ["terms"] });
  const before = read.body.map(({ id }) => id);
  const after = items.map(({ id }) => id);
  const undo = async () => {
    const isBack = await restoreOrder(type, before, after).catch(() => false);
    toasts.say(isBack ? orderTexts.restored : orderTexts.notRestored);
    await again();
  };
  const saving = useMutation({
    mutationFn: (breakGlass?: string) => writeOrder(type, after, read.etag, breakGlass),
    onSuccess: async () => {
      onClose();
      toasts.say(orderTexts.saved, undo);
      await again();
    },
  });
  const needsApproval = approvalRequired(saving.error) !== undefined;
  const named = items.map((item) => ({ ...item, title: titles.get(item.id) ?? item.title }));
  const place = (ids: readonly number[]) => {
    const sorted = ids.map((id) => items.find((item) => item.id === id));
    setItems(sorted.filter((item) => item !== undefined));
  };
  return (
    <>
      <OrderList items={named} onOrder={place} />
      {needsApproval && (
        <ProposeInstead
          error={saving.error}
          act={{ act: "reorder_terms", type, ids: after, revision: revisionOf(read.etag) }}
          onBreakGlass={saving.mutateAsync}
          onProposed={() => {
            onClose();
            toasts.say(texts.approval.proposed);
          }}
        />
      )}
      {saving.isError && !needsApproval && (
        <>
          <FailureText error={saving.error} />
          <Button kind="secondary" onClick={() => onReread()}>
            {orderTexts.reread}
          </Button>
        </>
      )}
      <div className={dialogStyles.buttons}>
        <Button kind="secondary" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button
          disabled={after.every((id, index) => id === before[index])}
          loading={saving.isPending}
          onClick={() => saving.mutate(undefined)}
        >
          {orderTexts.save}
        </Button>
      </div>
    </>
  );
}
