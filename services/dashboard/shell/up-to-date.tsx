import { useQuery } from '@tanstack/react-query';
import { momentWords, zoneWords } from '../parts/time-words.ts';
import { overviewQuery } from './overview.ts';

/** Whether what the page shows is what the service knows, and since when. */
export function UpToDate() {
  const { dataUpdatedAt, isError } = useQuery(overviewQuery);
  if (dataUpdatedAt === 0 && !isError) return null;
  const at = new Date(dataUpdatedAt).toISOString();
  return (
    <p role="status" aria-live="off" className="flex items-center gap-2 text-label text-t2 tabular-nums">
      <span aria-hidden="true" className={`size-1.5 rounded-full ${isError ? 'bg-red' : 'bg-green'}`} />
      {isError ? 'No answer since' : 'Up to date'} {momentWords(at, { seconds: true }).split(' ').at(-1)} {zoneWords(at)}
    </p>
  );
}
