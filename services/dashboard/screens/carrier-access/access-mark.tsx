import { WarningMark } from '../../parts/warning-mark.tsx';
import type { AccessState } from './access-words.ts';

const classNames: Partial<Record<AccessState, string>> = {
  own: 'bg-green border-green',
  instance: 'border-green',
  simulated: 'border-t3 border-dashed',
  missing: 'border-t3',
};

/** An ornament beside its words: filled for one's own, a ring for the installation's, a triangle where the carrier refuses. */
export function AccessMark({ state }: { state: AccessState }) {
  if (state === 'refused') return <WarningMark severity="critical" size={12} />;
  return (
    <span
      aria-hidden="true"
      className={`inline-block size-2 shrink-0 rounded-full border ${classNames[state] ?? 'border-transparent'}`}
    />
  );
}
