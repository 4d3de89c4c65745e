import type { ReactNode } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import type { WireContainer } from '../../../api/wire.ts';
import { Facts } from '../../../parts/facts.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { WarningMark } from '../../../parts/status-icons.tsx';
import { Timestamp } from '../../../parts/timestamp.tsx';
import { holdText, isHeld } from '../../../parts/words/hold-words.ts';
import { keepUnits } from '../../../parts/words/measure-words.ts';
import { whoStates } from '../../../parts/words/source-words.ts';
import { carrierMoment } from '../carrier-time.ts';
import { ClockDetails } from './clock-details.tsx';
import { clockName, feeText, milestonesOf } from './container-words.ts';

type Props = { container: WireContainer; shipment: WireShipment };

/** The clocks of a container, its holds and fees with who states them, and its milestones. */
export function ContainerDetails({ container, shipment }: Props) {
  const now = useNow();
  const { clocks, holds, fees, milestones } = container;
  const reached = milestonesOf(milestones);
  return (
    <div className="mt-1 mb-2 flex flex-col gap-3 border-line border-l pl-[18px] ml-[6.5px]">
      {clocks.map((clock, place) => {
        const name = clockName(clock, place, clocks);
        return <ClockDetails key={name} name={name} clock={clock} container={container} shipment={shipment} />;
      })}
      {holds.length > 0 && (
        <Part title="Holds">
          <ul className="flex flex-col gap-0.5">
            {holds
              .toSorted((left, right) => Number(isHeld(right)) - Number(isHeld(left)))
              .map((hold) => (
                <li key={hold.type} className={`flex items-start gap-1.5 ${isHeld(hold) ? '' : 'text-t3'}`}>
                  {isHeld(hold) && (
                    <span className="mt-px">
                      <WarningMark severity={hold.status === 'active' ? 'critical' : 'warning'} size={13} />
                    </span>
                  )}
                  <span className="min-w-0">
                    {holdText(hold)}{' '}
                    <span className="text-t3">
                      by {whoStates(hold.source, shipment.carrier_name)}, <Timestamp at={hold.since} />
                    </span>
                  </span>
                </li>
              ))}
          </ul>
        </Part>
      )}
      {fees.length > 0 && (
        <Part title="Fees">
          <ul>
            {fees.map((fee) => (
              <li key={`${fee.type} ${fee.currency}`} className="tabular-nums">
                {keepUnits(feeText(fee, shipment.carrier_name))}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {reached.length > 0 && (
        <Part title="Milestones">
          <Facts
            columns="grid-cols-[112px_minmax(0,1fr)]"
            className="gap-y-0.5"
            rows={Object.fromEntries(reached.map(({ name, time }) => [name, carrierMoment(time, now)]))}
          />
        </Part>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="text-label">
      <h3 className="mb-0.5 text-t3">{title}</h3>
      {children}
    </section>
  );
}
