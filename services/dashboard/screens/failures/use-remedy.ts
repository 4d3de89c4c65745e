import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { type BulkLine, runBulk } from '../../api/run-bulk.ts';

export type Verb = 'refresh' | 'resume' | 'archive';

type VerbTexts = { operation: 'refreshShipment' | 'resumeShipment' | 'archiveShipment'; running: string; done: string };

const verbs: Record<Verb, VerbTexts> = {
  refresh: { operation: 'refreshShipment', running: 'Requesting', done: 'refreshes requested' },
  resume: { operation: 'resumeShipment', running: 'Resuming', done: 'resumed' },
  archive: { operation: 'archiveShipment', running: 'Archiving', done: 'archived' },
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
          return texts.done;
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
  if (lines.length < of) return `${running} ${lines.length.toLocaleString('en')} of ${of.toLocaleString('en')}`;
  const failures = lines.filter(({ outcome }) => outcome === 'failed');
  const skipped = failures.filter(({ code }) => code !== null && notNow.includes(code));
  const parts = [`${(lines.length - failures.length).toLocaleString('en')} ${done}`];
  if (skipped.length > 0)
    parts.push(`${skipped.length.toLocaleString('en')} skipped: refreshed in the last 10 minutes, or already running`);
  for (const [text, all] of Map.groupBy(
    failures.filter((line) => !skipped.includes(line)),
    (line) => line.text,
  ))
    parts.push(`${all.length.toLocaleString('en')} failed: ${text.replace(/\.$/, '')}`);
  return `${parts.join('. ')}.`;
}
