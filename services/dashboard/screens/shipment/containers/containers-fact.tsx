import { type ReactNode, useState } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import type { WireContainer } from '../../../api/wire.ts';
import { wordOf } from '../../../parts/words/code-words.ts';
import { Fact, FoldedList } from '../fact.tsx';
import { isNumberPart, maxUnsearched } from '../timeline/event-unit.ts';
import { ContainerLine } from './container-line.tsx';

const maxShown = 6;

type Props = {
  shipment: Pick<WireShipment, 'containers' | 'container_status_counts'>;
  /** Renders the details of a container. Without it, the lines do not open. */
  details?: (container: WireContainer) => ReactNode;
};

/** Each container with its own status and free time: containers of one shipment can be split up. */
export function ContainersFact({ shipment, details }: Props) {
  const { containers, container_status_counts: counts } = shipment;
  const [typed, setTyped] = useState('');
  if (containers.length === 0) return null;
  const hasSearch = containers.length > maxUnsearched;
  const shown = hasSearch ? containers.filter(({ number }) => isNumberPart(typed, number)) : containers;
  const spread = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${wordOf(status).toLowerCase()}`);
  return (
    <Fact
      title="Containers"
      aside={spread.join(', ')}
      value={containers.map(({ number, status, holds, availability, clocks }) => [
        number,
        status,
        holds,
        availability,
        clocks.map(({ state, last_free_day: day, cost }) => [state, day, cost]),
      ])}
    >
      {hasSearch && (
        <>
          <input
            type="search"
            aria-label="Find a container"
            placeholder={`Find one of ${containers.length} containers`}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className="mb-1 h-8 w-full rounded-control border border-line2 bg-bg px-2.5 text-body placeholder:text-t3 print:hidden"
          />
          <p role="status" className="text-label text-t3 empty:hidden">
            {foundWords(typed, shown.length)}
          </p>
        </>
      )}
      <FoldedList
        rows={shown}
        max={maxShown}
        noun="containers"
        row={(container) => (
          <ContainerLine
            key={container.number}
            container={container}
            isOpenAtFirst={containers.length === 1}
            details={details}
          />
        )}
      />
    </Fact>
  );
}

function foundWords(typed: string, count: number): string {
  if (typed.trim() === '') return '';
  return count === 0 ? 'No container has this number.' : count === 1 ? '1 container' : `${count} containers`;
}
