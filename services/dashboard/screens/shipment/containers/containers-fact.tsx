import type { ReactNode } from 'react';
import type { WireShipment } from '#shared/contract/shipments/shipment-schemas.ts';
import type { WireContainer } from '../../../api/wire.ts';
import { wordOf } from '../../../parts/words/code-words.ts';
import { Fact, FoldedList } from '../fact.tsx';
import { ContainerLine } from './container-line.tsx';

const maxShown = 6;

type Props = {
  shipment: Pick<WireShipment, 'containers' | 'container_status_counts'>;
  /** What a container opens to. Without it, the lines do not open. */
  details?: (container: WireContainer) => ReactNode;
};

/** Each container with its own status and free time: containers of one shipment can be split up. */
export function ContainersFact({ shipment, details }: Props) {
  const { containers, container_status_counts: counts } = shipment;
  if (containers.length === 0) return null;
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
      <FoldedList
        rows={containers}
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
