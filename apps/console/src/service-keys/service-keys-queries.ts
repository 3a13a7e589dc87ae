import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Wire } from "../api/wire";

export type ServiceKey = Wire<"ServiceKeyBody">;

export const SERVICE_KEYS = "/api/admin/v1/service-keys";

export const serviceKeysQuery = queryOptions({
  queryKey: [SERVICE_KEYS],
  queryFn: async () => (await api.get(SERVICE_KEYS, { query: { limit: 200 } })).items,
});

export const createServiceKey = (body: Wire<"NewServiceKeyBody">) =>
  api.post(SERVICE_KEYS, { body });

export const revokeServiceKey = (id: string) =>
  api.delete(`${SERVICE_KEYS}/{id}`, { path: { id } });
