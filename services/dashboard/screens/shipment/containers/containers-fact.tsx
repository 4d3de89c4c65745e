import type { WireShipment } from '#shared/contract/shipments/shipment-schemas.ts';
import { wordOf } from '../../../parts/words/code-words.ts';
import { Fact, FoldedList } from '../fact.tsx';
import { ContainerLine } from './container-line.tsx';

const maxShown = 6;

/** Each container with its own status and free time: containers of one shipment can be split up. */
export function ContainersFact({ shipment }: { shipment: WireShipment }) {
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
            shipment={shipment}
            isOpenAtFirst={containers.length === 1}
          />
        )}
      />
    </Fact>
  );
}
