import { chosen } from '../api/request.ts';
import { momentWords, zoneWords } from '../parts/time-words.ts';
import { useNow } from '../parts/use-now.ts';
import { useAccount } from '../screens/session/use-session.ts';

/** On paper: whose this is, and of when. */
export function PrintedLine() {
  const account = useAccount();
  const at = new Date(useNow()).toISOString();
  return (
    <p className="hidden px-4 pb-2 text-label text-t2 print:block">
      {account.name}
      {chosen.mode === 'test' && ', test shipments'} · Landfall, {momentWords(at, { now: 0 })} {zoneWords(at)}
    </p>
  );
}
