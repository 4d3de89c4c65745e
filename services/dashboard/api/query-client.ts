import { QueryClient } from '@tanstack/react-query';
import { ProblemError } from './problem-error.ts';

const maxRetries = 3;

/** Caches responses across pages. Visible data is refetched when the window regains focus. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      retry: (failures, error) => failures < maxRetries && isTemporary(error),
    },
  },
});

/** No response, a rate limit, or a server error. Other errors do not go away by retrying. */
function isTemporary(error: Error): boolean {
  return !(error instanceof ProblemError) || error.status === 0 || error.status === 429 || error.status >= 500;
}
