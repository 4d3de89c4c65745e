import { StatusGlyph } from './status-glyph.tsx';
import { WarningMark } from './warning-mark.tsx';

/** Good a dot, warn an open triangle, bad a disc with a cross, none a dashed ring: in front of its word. */
export function StandingMark({ sign }: { sign: 'bad' | 'warn' | 'good' | 'none' }) {
  if (sign === 'bad') return <StatusGlyph status="failed" />;
  if (sign === 'warn') return <WarningMark severity="warning" />;
  if (sign === 'none') return <StatusGlyph status="pending" />;
  return (
    <span aria-hidden="true" className="grid size-3.5 shrink-0 place-items-center">
      <span className="size-1.5 rounded-full bg-green" />
    </span>
  );
}
