import { HttpError } from "@musette/client/http";
import { QueryClient } from "@tanstack/react-query";

/** Whether to retry: after network errors, 5xx and 429. Any other 4xx would occur again. */
function shouldRetry(failures: number, error: unknown): boolean {
  const refused = error instanceof HttpError && error.status < 500 && error.status !== 429;
  return !refused && failures < 2;
}

export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 10_000, retry: shouldRetry } },
});
