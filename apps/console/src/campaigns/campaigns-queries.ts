import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client";
import { pagesQuery } from "../api/pages";
import type { Wire } from "../api/wire";

export type Campaign = Wire<"CampaignBody">;
export type CampaignInput = Wire<"CampaignInput">;
export type CampaignStep = Campaign["steps"][number];
export type StepTime = Wire<"StepTimeBody">;
export type Channel = CampaignStep["channel"];
export type CampaignPreview = Wire<"CampaignPreview">;
export type CampaignPerson = Wire<"CampaignPerson">;
export type PersonStatus = CampaignPerson["status"];
export type Action = "start" | "pause" | "resume" | "cancel";

export const CAMPAIGNS = "/api/admin/v1/campaigns";
const ONE = `${CAMPAIGNS}/{id}` as const;
const PEOPLE_PAGE = 100;
const RUNNING_REFETCH_MS = 3000;

export const campaignPagesQuery = pagesQuery(CAMPAIGNS, {});

/** A campaign with its progress, which is fetched again while messages are sent. */
export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: [CAMPAIGNS, "one", id],
    queryFn: (): Promise<Campaign> => api.get(ONE, { path: { id } }),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? RUNNING_REFETCH_MS : false),
  });

/** Counts the riders that a saved campaign would reach now. */
export const previewQuery = (id: string) =>
  queryOptions({
    queryKey: [CAMPAIGNS, "preview", id],
    queryFn: (): Promise<CampaignPreview> => api.post(`${ONE}/preview`, { path: { id } }),
  });

/** Fetches one page of the people of a campaign. */
export const fetchPeople = (
  id: string,
  status: PersonStatus | undefined,
  after: string | undefined,
  limit = PEOPLE_PAGE,
) =>
  api.get(`${ONE}/people`, {
    path: { id },
    query: { limit, ...(status && { status }), ...(after !== undefined && { after }) },
  });

export const refreshCampaigns = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: [CAMPAIGNS] });

export const addCampaign = (body: CampaignInput): Promise<Campaign> =>
  api.post(CAMPAIGNS, { body });

export const changeCampaign = (id: string, body: CampaignInput): Promise<Campaign> =>
  api.put(ONE, { path: { id }, body });

export const actOnCampaign = (id: string, action: Action): Promise<Campaign> =>
  api.post(`${ONE}/${action}`, { path: { id } });
