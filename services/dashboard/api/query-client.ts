import { QueryClient } from '@tanstack/react-query';
import { ProblemError } from './problem-error.ts';

const mostRetries = 3;

/** Keeps answers while pages change. What is shown is asked for again when the window comes back. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      retry: (failures, error) => failures < mostRetries && isWorthTrying(error),
    },
  },
});

/** No answer, or one that says later: a wrong request stays wrong. */
function isWorthTrying(error: Error): boolean {
  return !(error instanceof ProblemError) || error.status === 0 || error.status === 429 || error.status >= 500;
}
