import { queryOptions } from '@tanstack/react-query';
import { getImport, getImportErrors } from '../../api/landfall-client.ts';
import { answerOf } from '../../api/request.ts';

const renewMs = 1000;

/** An import and its progress, asked for again while it runs. */
export const importQuery = (importId: string) =>
  queryOptions({
    queryKey: ['import', importId],
    queryFn: () => answerOf(getImport({ importId })),
    refetchInterval: ({ state }) => (state.data === undefined || isOver(state.data.state) ? false : renewMs),
  });

export function isOver(state: string): boolean {
  return state === 'completed' || state === 'interrupted';
}

/** Hands the failed rows over as a file. */
export async function downloadErrors(importId: string, format: string): Promise<void> {
  const text = await answerOf(
    getImportErrors({ importId }) as never as Promise<{ status: 200; data: string; headers: Headers }>,
  );
  const address = URL.createObjectURL(
    new Blob([text as string], { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' }),
  );
  const link = document.createElement('a');
  link.href = address;
  link.download = `${importId}-errors.${format}`;
  link.click();
  URL.revokeObjectURL(address);
}
