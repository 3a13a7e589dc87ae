import { HttpError } from "@musette/client/http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { failureKind } from "./failure";
import { reauthentication, withReauthentication } from "./reauthentication";

function refusal(code: string): HttpError {
  const error = new HttpError(new Response(null, { status: 403 }));
  error.problem = { code } as NonNullable<HttpError["problem"]>;
  return error;
}

const required = refusal("reauthentication_required");
const settled = () => new Promise((done) => setTimeout(done));

describe("a request that needs a re-authentication", () => {
  let unsubscribe: () => void = () => {};
  afterEach(() => unsubscribe());
  const showDialog = () => {
    const listener = vi.fn();
    unsubscribe = reauthentication.subscribe(listener);
    return listener;
  };

  it("is sent again after the person has re-authenticated", async () => {
    const listener = showDialog();
    const send = vi.fn().mockRejectedValueOnce(required).mockResolvedValueOnce("done");
    const result = withReauthentication(send);
    await settled();
    expect(listener).toHaveBeenCalledOnce();
    expect(reauthentication.isAsked()).toBe(true);
    expect(send).toHaveBeenCalledOnce();
    reauthentication.answer(true);
    expect(await result).toBe("done");
    expect(reauthentication.isAsked()).toBe(false);
  });

  it("asks once for several requests", async () => {
    showDialog();
    const sends = [1, 2].map((number) =>
      vi.fn().mockRejectedValueOnce(required).mockResolvedValueOnce(number),
    );
    const results = Promise.all(sends.map((send) => withReauthentication(send)));
    await settled();
    reauthentication.answer(true);
    expect(await results).toEqual([1, 2]);
  });

  it("fails with the server's error if the person cancels", async () => {
    showDialog();
    const send = vi.fn().mockRejectedValue(required);
    const result = withReauthentication(send).catch((error: unknown) => error);
    await settled();
    reauthentication.answer(false);
    expect(await result).toBe(required);
    expect(send).toHaveBeenCalledOnce();
    expect(failureKind(required)).toBe("unconfirmed");
  });

  it("fails with the server's error if there is no dialog", async () => {
    const send = vi.fn().mockRejectedValue(required);
    await expect(withReauthentication(send)).rejects.toBe(required);
  });

  it("is not triggered by other errors", async () => {
    const listener = showDialog();
    const other = refusal("permission_denied");
    await expect(withReauthentication(() => Promise.reject(other))).rejects.toBe(other);
    expect(listener).not.toHaveBeenCalled();
    expect(failureKind(other)).toBe("forbidden");
  });
});
