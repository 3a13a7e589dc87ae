import { Button } from "@musette/react/ui";
import { useMutation } from "@tanstack/react-query";
import { fetchReceipt, saveFile } from "../api/download";
import dialogStyles from "../ui/dialog.module.css";
import { FailureText } from "../ui/states";
import styles from "./consents.module.css";
import { useConsentsTexts } from "./texts/texts";

const FILES = ["pdf", "json", "tlog-proof"] as const;

/** The receipt's files, to pass on. */
export function ReceiptFiles({ id }: { readonly id: string }) {
  const texts = useConsentsTexts();
  const saving = useMutation({
    mutationFn: async (ending: (typeof FILES)[number]) =>
      saveFile(await fetchReceipt(id, ending), `${id}.${ending}`),
  });
  return (
    <div className={styles.receiptFiles}>
      <p>
        <span className="note">{texts.receipt}</span> <bdi className="mono">{id}</bdi>
      </p>
      <div className={dialogStyles.buttons}>
        {FILES.map((ending) => (
          <Button
            key={ending}
            kind="secondary"
            loading={saving.isPending && saving.variables === ending}
            onClick={() => saving.mutate(ending)}
          >
            {texts.files[ending]}
          </Button>
        ))}
      </div>
      {saving.isError && <FailureText error={saving.error} />}
    </div>
  );
}
