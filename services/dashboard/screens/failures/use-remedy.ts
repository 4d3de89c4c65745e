import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { type BulkLine, runBulk } from '../../api/run-bulk.ts';
import { numberLocale } from '../../parts/words/locale.ts';

export type Verb = 'refresh' | 'resume' | 'archive';

type VerbTexts = {
  operation: 'refreshShipment' | 'resumeShipment' | 'archiveShipment';
  running: string;
  done: (count: number) => string;
};

const verbs: Record<Verb, VerbTexts> = {
  refresh: { operation: 'refreshShipment', running: 'Requesting', done: refreshesRequested },
  resume: { operation: 'resumeShipment', running: 'Resuming', done: (count) => `${formatted(count)} resumed` },
  archive: { operation: 'archiveShipment', running: 'Archiving', done: (count) => `${formatted(count)} archived` },
};

/** Runs one verb for many shipments, and reports progress and result as text. */
export function useRemedy() {
  const queryClient = useQueryClient();
  const [status, setStatus] = useState<{ text: string; busy: boolean } | null>(null);
  const run = async (verb: Verb, ids: readonly string[]) => {
    const { operation, ...texts } = verbs[verb];
    const show = (lines: readonly BulkLine<string>[], busy: boolean) =>
      setStatus({ text: remedyText(lines, ids.length, texts), busy });
    show([], true);
    const lines = await runBulk(
      {
        items: ids,
        act: async (id) => {
          await call(operation, { params: { shipment_id: id } });
          return texts.done(1);
        },
        report: ({ lines: finished }) => show(finished, true),
      },
      new AbortController().signal,
    );
    show(lines, false);
    await queryClient.invalidateQueries({ queryKey: ['failures'] });
    void queryClient.invalidateQueries({ queryKey: ['overview'] });
  };
  return { run, status, busy: status?.busy ?? false };
}

/** Refused because it is too early, or under way already. */
const notNow = ['refresh_too_soon', 'invalid_state'];

/** Progress while it runs, then the result: how many succeeded, were skipped, and failed for which reason. */
export function remedyText(
  lines: readonly BulkLine<unknown>[],
  of: number,
  { running, done }: Pick<VerbTexts, 'running' | 'done'>,
): string {
  if (lines.length < of) return `${running} ${formatted(lines.length)} of ${formatted(of)}`;
  const failures = lines.filter(({ outcome }) => outcome === 'failed');
  const skipped = failures.filter(({ code }) => code !== null && notNow.includes(code));
  const parts = [done(lines.length - failures.length)];
  if (skipped.length > 0)
    parts.push(`${formatted(skipped.length)} skipped: refreshed in the last 10 minutes, or already running`);
  for (const [text, all] of Map.groupBy(
    failures.filter((line) => !skipped.includes(line)),
    (line) => line.text,
  ))
    parts.push(`${formatted(all.length)} failed: ${text.replace(/\.$/, '')}`);
  return `${parts.join('. ')}.`;
}

function refreshesRequested(count: number): string {
  return `${formatted(count)} ${count === 1 ? 'refresh' : 'refreshes'} requested`;
}

function formatted(count: number): string {
  return count.toLocaleString(numberLocale());
}
