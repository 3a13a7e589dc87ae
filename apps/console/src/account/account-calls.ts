import { api } from "../api/client";

const PATH = "/api/session/v1/console";

/** Proves who the signed-in person is, with the password and the digits of the authenticator. */
export const reauthenticate = (password: string, otp?: string) =>
  api.post(`${PATH}/reauthentication`, { body: { password, ...(otp && { otp }) } });

/** The address of the company's provider at which the person proves who they are. */
export const startAtProvider = async (): Promise<string> =>
  (await api.post(`${PATH}/oidc/reauthentication`)).url;

export const changePassword = (current: string, password: string, otp?: string) =>
  api.put(`${PATH}/password`, {
    body: { current_password: current, password, ...(otp && { otp }) },
  });
