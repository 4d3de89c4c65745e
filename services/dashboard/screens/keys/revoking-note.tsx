import { Button } from '../../parts/button.tsx';
import type { Revoking } from './use-revoking.ts';

/** `Revoking in 5 s · Undo`. The key is accepted until the request is out. */
export function RevokingNote({ revoking }: { revoking: Revoking }) {
  if (revoking.secondsLeft === 0) return <span className="text-t2">Revoking…</span>;
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <span role="timer" aria-label={`Revoking in ${revoking.secondsLeft} seconds`} className="text-red tabular-nums">
        Revoking in {revoking.secondsLeft} s
      </span>
      <Button kind="quiet" className="h-6! text-accent!" onClick={revoking.undo}>
        Undo
      </Button>
    </span>
  );
}
