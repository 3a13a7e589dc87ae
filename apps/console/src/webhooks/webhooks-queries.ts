import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import { pagesQuery } from "../api/pages";
import type { Wire } from "../api/wire";
import { refetchDelay } from "./ask-again";

export type Webhook = Wire<"WebhookBody">;
export type EventType = Wire<"EventType">;
export type Delivery = Wire<"WebhookDeliveryBody">;
export type WebhookSettings = Wire<"NewWebhookBody">;

export const WEBHOOKS = "/api/admin/v1/webhooks";
const ONE = `${WEBHOOKS}/{id}` as const;

export const webhooksQuery = pagesQuery(WEBHOOKS, {});

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [WEBHOOKS, "one", id],
    queryFn: () => api.get(ONE, { path: { id } }),
  });

export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    ...pagesQuery(`${ONE}/deliveries`, { path: { id } }),
    queryKey: [WEBHOOKS, "deliveries", id],
    refetchInterval: ({ state }) =>
      refetchDelay(state.data?.pages.flatMap(({ items }) => items) ?? [], Date.now()),
  });

export const addWebhook = (body: WebhookSettings) => api.post(WEBHOOKS, { body });
export const changeWebhook = (id: string, body: WebhookSettings) =>
  api.put(ONE, { path: { id }, body });
export const deleteWebhook = (id: string) => api.delete(ONE, { path: { id } });
export const rotateSecret = (id: string) => api.post(`${ONE}/rotate-secret`, { path: { id } });
export const testWebhook = (id: string) => api.post(`${ONE}/test`, { path: { id } });
export const resendDelivery = (id: string, delivery: string) =>
  api.post(`${ONE}/deliveries/{delivery}/resend`, { path: { id, delivery } });

/** Returns the settings of a webhook, for a request that changes one of them. */
export const settingsOf = ({ url, types, description }: Webhook): WebhookSettings => ({
  url,
  types,
  ...(description && { description }),
});
