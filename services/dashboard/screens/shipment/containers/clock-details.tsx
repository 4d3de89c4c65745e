import { Link } from '@tanstack/react-router';
import { type ButtonHTMLAttributes, useState } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import type { ClockKind } from '#shared/domain/events/stated-free-time.ts';
import type { ClockState } from '#shared/domain/record/free-time.ts';
import type { WireContainer } from '../../../api/wire.ts';
import { Facts } from '../../../parts/facts.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { FreeTimeMark } from '../../../parts/status-icons.tsx';
import {
  clockStateHints,
  costWords,
  daysLeftWords,
  stateWord,
  weekdayWords,
} from '../../../parts/words/free-time-words.ts';
import { useAccount } from '../../session/use-session.ts';
import { carrierMoment } from '../carrier-time.ts';
import { freeDaySourceWords, isDayOfClock, otherDaysText, type WireClock, whyText } from './container-words.ts';
import { FreeDayForm } from './free-day-form.tsx';
import { useFreeDays } from './use-free-days.ts';

type Props = { name: string; clock: WireClock; container: WireContainer; shipment: WireShipment };

/** One clock: its state, the last free day and where it comes from, what it costs, and why. */
export function ClockDetails({ name, clock, container, shipment }: Props) {
  const now = useNow();
  const mayEdit = useAccount().role !== 'viewer' && shipment.as_of === null && shipment.archived_at === null;
  const [isEditing, setEditing] = useState(false);
  const freeDays = useFreeDays(shipment.shipment_id);
  const { kind, state, last_free_day: day, days_left: left, cost, started_at: started, stopped_at: stopped } = clock;
  const isManual = clock.terms_source === 'manual';
  const source = freeDaySourceWords(clock, container.last_free_day);
  const others = isDayOfClock(clock, container.last_free_day) ? otherDaysText(container.last_free_day, now) : null;
  const isCostUnknown = cost === null && (state === 'over' || state === 'unknown_terms');
  return (
    <section aria-label={`${name} of ${container.number}`} className="text-label">
      <h3 className="flex items-center gap-1.5">
        <FreeTimeMark state={state} size={13} />
        <span className="font-medium text-t1">{name}</span>
        <span className="text-t2" title={clockStateHints[state as ClockState]}>
          {stateWord(state).toLowerCase()}
        </span>
      </h3>
      <div className="mt-0.5 pl-[19px]">
        <Facts
          columns="grid-cols-[93px_minmax(0,1fr)]"
          className="gap-y-0.5"
          rows={{
            'Last free day':
              day === null ? (
                state === 'unknown_terms' ? (
                  'unknown'
                ) : null
              ) : (
                <>
                  <strong className="font-medium">{weekdayWords(day, now)}</strong>
                  {source !== null && <span className="text-t2">, {source}</span>}
                </>
              ),
            'Other dates': others,
            'Days left': left === null ? null : daysLeftWords(left),
            'Cost so far': cost !== null ? costWords([cost]) : isCostUnknown ? 'unknown' : null,
            Started: started === null ? null : carrierMoment(started, now),
            Stopped: stopped === null ? null : carrierMoment(stopped, now),
            Why: whyText(clock, shipment.events, now),
          }}
        />
        {cost?.is_floor && <p className="text-t3">At least: tracking ended while the clock ran.</p>}
        {isEditing ? (
          <FreeDayForm
            label={`Last free day, ${name.toLowerCase()}`}
            day={isManual ? day : null}
            saving={freeDays}
            save={(chosen) =>
              freeDays.mutate(
                { container: container.number, kind: kind as ClockKind, day: chosen },
                { onSuccess: () => setEditing(false) },
              )
            }
            close={() => {
              freeDays.reset();
              setEditing(false);
            }}
          />
        ) : (
          <div className="mt-1 flex flex-wrap gap-x-4 empty:hidden print:hidden">
            {mayEdit && state !== 'stopped' && (
              <TextButton onClick={() => setEditing(true)}>
                {isManual ? 'Change the day' : 'Set last free day'}
              </TextButton>
            )}
            {mayEdit && isManual && (
              <TextButton
                disabled={freeDays.isPending}
                onClick={() => freeDays.mutate({ container: container.number, kind: kind as ClockKind, day: null })}
              >
                Remove the day
              </TextButton>
            )}
            {state === 'unknown_terms' && (
              <Link
                to="/configuration/$section"
                params={{ section: 'free-time' }}
                className="text-accent underline-offset-2 hover:underline"
              >
                Free-time terms
              </Link>
            )}
          </div>
        )}
        {!isEditing && freeDays.isError && (
          <p role="alert" className="mt-1 text-red">
            {freeDays.error.message}
          </p>
        )}
      </div>
    </section>
  );
}

/** A quiet action beside many others. */
function TextButton(props: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'className'>) {
  return (
    <button
      type="button"
      className="rounded-badge text-accent underline-offset-2 hover:underline disabled:opacity-50"
      {...props}
    />
  );
}
