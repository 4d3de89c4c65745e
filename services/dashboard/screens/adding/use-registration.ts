import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import type { Entry } from './entries.ts';
import { type Common, planBatches, type Results, readResults } from './plan-registration.ts';

export type Registration = {
  results: Results;
  /** Rows sent, of all rows; null while idle. */
  progress: { sent: number; of: number } | null;
  /** Error that ended the registration early. Earlier results remain. */
  error: unknown;
  register: (entries: readonly Entry[], common: Common) => Promise<void>;
  clear: () => void;
};

/** Registers batches one after the other. A retry of the same rows uses the same idempotency key. */
export function useRegistration(): Registration {
  const queryClient = useQueryClient();
  const [results, setResults] = useState<Results>(new Map());
  const [progress, setProgress] = useState<Registration['progress']>(null);
  const [error, setError] = useState<unknown>(null);
  const isRunning = useRef(false);
  const keys = useRef(new Map<string, string>());

  const register: Registration['register'] = async (entries, common) => {
    // State updates too late to stop the second click of a double click.
    if (isRunning.current) return;
    isRunning.current = true;
    setError(null);
    const batches = planBatches(entries, common, results);
    const of = batches.reduce((sum, { rows }) => sum + rows.length, 0);
    let sent = 0;
    setProgress({ sent, of });
    try {
      for (const batch of batches) {
        const text = JSON.stringify(batch.rows);
        const idempotencyKey = keys.current.get(text) ?? crypto.randomUUID();
        keys.current.set(text, idempotencyKey);
        const batchResult = await call(
          'registerBatch',
          { body: { shipments: batch.rows } as never },
          { idempotencyKey },
        );
        // Completed: the same rows again are a new registration.
        keys.current.delete(text);
        const newResults = readResults(batch, batchResult);
        setResults((before) => new Map([...before, ...newResults]));
        sent += batch.rows.length;
        setProgress({ sent, of });
      }
    } catch (problem) {
      setError(problem);
    } finally {
      isRunning.current = false;
      setProgress(null);
      void queryClient.invalidateQueries();
    }
  };
  const clear = () => {
    setResults(new Map());
    setError(null);
  };
  return { results, progress, error, register, clear };
}
