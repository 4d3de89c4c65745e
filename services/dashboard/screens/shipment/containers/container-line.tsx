import { type ReactNode, useId, useState } from 'react';
import { groupIdentifier } from '#shared/domain/words/group-identifier.ts';
import type { WireContainer } from '../../../api/wire.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Identifier } from '../../../parts/identifier.tsx';
import { FreeTimeMark, StatusGlyph, WarningMark } from '../../../parts/status-icons.tsx';
import { wordOf } from '../../../parts/words/code-words.ts';
import { holdText, isHeld } from '../../../parts/words/hold-words.ts';
import { keepUnits } from '../../../parts/words/measure-words.ts';
import { containerType } from './container-type.ts';
import { availabilityText, clockName, clocksToShow, clockText } from './container-words.ts';

type Props = {
  container: WireContainer;
  isOpenAtFirst: boolean;
  /** Everything that is known about the container. Without it, the line does not open. */
  details?: ((container: WireContainer) => ReactNode) | undefined;
};

/** A container: its number, what holds it, and its free time. It opens to its details. */
export function ContainerLine({ container, isOpenAtFirst, details }: Props) {
  const now = useNow();
  const id = useId();
  const hasMore = details !== undefined && knowsMore(container);
  const [isOpen, setOpen] = useState(isOpenAtFirst && hasMore);
  const { number, iso_type: isoType, status, seals, holds, availability, clocks } = container;
  const active = holds.filter(isHeld);
  const available = availabilityText(availability, now);
  return (
    <li className="py-1">
      <div className="flex min-h-5 items-center gap-2.5">
        <span title={wordOf(status)} className="inline-flex">
          <StatusGlyph status={status} />
          <span className="sr-only">{wordOf(status)}</span>
        </span>
        <Identifier kind="container" value={number} className="w-[112px] shrink-0 text-label" />
        <span className="max-w-[120px] shrink-0 truncate text-t2" title={isoType ?? ''}>
          {containerType(isoType)}
        </span>
        {seals.length > 0 && <Seals seals={seals} />}
        {hasMore && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={`Details of ${groupIdentifier('container', number)}`}
            onClick={() => setOpen(!isOpen)}
            className={`grid size-6 shrink-0 place-items-center rounded-control text-t3 hover:bg-hover hover:text-t1 print:hidden ${seals.length > 0 ? '' : 'ml-auto'}`}
          >
            <Icon name={isOpen ? 'up' : 'right'} size={14} />
          </button>
        )}
      </div>
      <ul className="flex flex-col gap-0.5 pl-6 text-label empty:hidden">
        {active.map((hold) => (
          <li key={hold.type} className="flex items-start gap-1.5">
            <span className="mt-px">
              <WarningMark severity={hold.status === 'active' ? 'critical' : 'warning'} size={13} />
            </span>
            <span className="min-w-0 font-medium">{holdText(hold)}</span>
          </li>
        ))}
        {clocksToShow(clocks).map((clock) => (
          <li key={clockName(clock, clocks.indexOf(clock), clocks)} className="flex items-start gap-1.5">
            <span className="mt-px">
              <FreeTimeMark state={clock.state} size={13} />
            </span>
            <span className={`min-w-0 ${['over', 'expiring', 'unknown_terms'].includes(clock.state) ? '' : 'text-t2'}`}>
              {keepUnits(clockText(clockName(clock, clocks.indexOf(clock), clocks), clock, now))}
            </span>
          </li>
        ))}
        {available !== null && <li className="text-t2">{available}</li>}
      </ul>
      <div id={id} hidden={!isOpen}>
        {isOpen && details?.(container)}
      </div>
    </li>
  );
}

/** True when the details would add anything to the line. */
function knowsMore({ clocks, holds, fees, milestones }: WireContainer): boolean {
  return (
    clocks.length > 0 || holds.length > 0 || fees.length > 0 || Object.values(milestones).some((time) => time !== null)
  );
}

function Seals({ seals }: { seals: readonly string[] }) {
  return (
    <span className="ml-auto min-w-0 truncate text-label text-t3" title={`Seals ${seals.join(', ')}`}>
      seal <span className="font-mono text-[11.5px] text-t2 tracking-[-0.025em]">{seals[0]}</span>
      {seals.length > 1 && ` +${seals.length - 1}`}
    </span>
  );
}
