import type { WireConnector } from './operations-types.ts';

/** How many calls, against the carrier that is asked most, and how many of them failed: grey answered, red failed, amber hatched while it slows us down. */
export function OutcomeBar({ one, most }: { one: WireConnector; most: number }) {
  const failed = one.requests - one.succeeded;
  const slowed = (one.closed_for_s ?? 0) > 0;
  const width = one.requests === 0 ? 0 : Math.max((one.requests / most) * 100, 2);
  return (
    <span
      role="img"
      aria-label={`${one.succeeded.toLocaleString('en')} answered, ${failed.toLocaleString('en')} failed${slowed ? ', slowed down' : ''}`}
      className="block h-3 w-full"
    >
      <span className="flex h-full gap-px" style={{ width: `${width}%` }}>
        {one.succeeded > 0 && <span className="rounded-bar bg-bar" style={{ flexGrow: one.succeeded }} />}
        {failed > 0 && (
          <span
            className={`min-w-[3px] rounded-bar ${slowed ? 'hatched bg-amber' : 'bg-red'}`}
            style={{ flexGrow: failed }}
          />
        )}
      </span>
    </span>
  );
}
