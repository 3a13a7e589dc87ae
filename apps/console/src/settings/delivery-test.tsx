import { HttpError } from "@musette/client/http";
import { Button } from "@musette/react/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../api/client";
import { meQuery } from "../api/me";
import { ChoiceField } from "../ui/choice-field";
import { FailureText } from "../ui/states";
import styles from "./settings.module.css";
import { settingsQuery, testDelivery } from "./standing-query";
import { useSettingsTexts } from "./texts/texts";

/** Sends a test message to the person's own address, through the delivery of codes. */
export function DeliveryTest() {
  const texts = useSettingsTexts();
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const { data: self } = useQuery({
    queryKey: ["person", me?.user_id],
    queryFn: () =>
      api.get("/api/admin/v1/people/{userId}", { path: { userId: me?.user_id ?? "" } }),
    enabled: me !== undefined,
  });
  const own = [self?.email, self?.phone].filter((address) => address !== undefined);
  const [chosen, setChosen] = useState<string>();
  const to = chosen ?? own[0] ?? "";
  const sending = useMutation({
    mutationFn: testDelivery,
    onSettled: () => client.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate(to);
  };
  const problem = sending.error instanceof HttpError ? sending.error.problem : undefined;
  if (self && own.length === 0) return <p className="note">{texts.noOwnAddress}</p>;
  return (
    <form className={styles.deliveryTest} onSubmit={submit}>
      <ChoiceField label={texts.testTo} dir="ltr" options={own} value={to} onChange={setChosen} />
      <Button type="submit" kind="secondary" loading={sending.isPending} disabled={!to}>
        {texts.sendTest}
      </Button>
      <p role="status" className="note">
        {sending.isSuccess && texts.testSent(sending.variables)}
      </p>
      {problem?.code === "delivery_failed" ? (
        <p className="failure" role="alert">
          {texts.testFailed}
          <small>
            <bdi>{problem.detail}</bdi>
          </small>
        </p>
      ) : (
        sending.isError && <FailureText error={sending.error} />
      )}
    </form>
  );
}
