import { api } from "../api/client";

const PATH = "/api/session/v1/console";

/**
 * Re-authenticates the signed-in person with the password and, if they have an authenticator, its
 * code.
 */
export const reauthenticate = (password: string, otp?: string) =>
  api.post(`${PATH}/reauthentication`, { body: { password, ...(otp && { otp }) } });

/** Returns the address at the company's OIDC provider where the person re-authenticates. */
export const startProviderReauthentication = async (): Promise<string> =>
  (await api.post(`${PATH}/oidc/reauthentication`)).url;

export const changePassword = (current: string, password: string, otp?: string) =>
  api.put(`${PATH}/password`, {
    body: { current_password: current, password, ...(otp && { otp }) },
  });
