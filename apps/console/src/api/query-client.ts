import { HttpError } from "@musette/client/http";
import { QueryClient } from "@tanstack/react-query";

/** What the server refused it refuses again; what it could not answer, it may answer in a moment. */
function isWorthAnotherTry(failures: number, error: unknown): boolean {
  const refused = error instanceof HttpError && error.status < 500 && error.status !== 429;
  return !refused && failures < 2;
}

export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 10_000, retry: isWorthAnotherTry } },
});
