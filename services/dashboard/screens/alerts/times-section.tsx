import type { WirePreferences } from '#shared/contract/alerts/preferences-wire.ts';
import { type Timing, timings } from '#shared/domain/alerts/alert.ts';
import { CheckboxLine } from '../../parts/inputs/checkbox.tsx';
import { NativeSelect } from '../../parts/inputs/select.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { useAccount } from '../session/use-session.ts';
import { useChangePreferences } from './alert-queries.ts';
import { hourText, timingWords } from './alert-words.ts';

const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** When the member is notified: time zone, digests, quiet hours. */
export function TimesSection({ preferences }: { preferences: WirePreferences }) {
  const change = useChangePreferences();
  const isOwner = useAccount().role === 'owner';
  const { quiet } = preferences;
  const hourOptions = hours.map((hour) => (
    <option key={hour} value={hour}>
      {hourText(hour)}
    </option>
  ));
  return (
    <section aria-labelledby="times" className="flex flex-col gap-4 px-4 py-5">
      <h2 id="times" className="font-semibold text-section">
        When
      </h2>
      <NativeSelect
        label="Time zone"
        value={preferences.time_zone}
        onChange={(event) => change.mutate({ time_zone: event.target.value })}
        className="max-w-72"
      >
        {zonesWith(preferences.time_zone).map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </NativeSelect>
      <div className="flex flex-wrap gap-4">
        <NativeSelect
          label="Daily digests at"
          value={preferences.digest_hour}
          onChange={(event) => change.mutate({ digest_hour: Number(event.target.value) })}
        >
          {hourOptions}
        </NativeSelect>
        <NativeSelect
          label="New alerts and mentions are sent"
          value={preferences.timing}
          onChange={(event) => change.mutate({ timing: event.target.value as Timing })}
        >
          {timings.map((timing) => (
            <option key={timing} value={timing}>
              {timingWords[timing]}
            </option>
          ))}
        </NativeSelect>
      </div>
      <CheckboxLine
        checked={quiet !== null}
        onChecked={(on) => change.mutate({ quiet: on ? { from: 22, to: 7 } : null })}
        hint="Immediate notifications are held until quiet hours end."
      >
        Quiet hours
      </CheckboxLine>
      {quiet !== null && (
        <div className="flex flex-wrap gap-4">
          <NativeSelect
            label="From"
            value={quiet.from}
            onChange={(event) => change.mutate({ quiet: { ...quiet, from: Number(event.target.value) } })}
          >
            {hourOptions}
          </NativeSelect>
          <NativeSelect
            label="To"
            value={quiet.to}
            onChange={(event) => change.mutate({ quiet: { ...quiet, to: Number(event.target.value) } })}
          >
            {hourOptions}
          </NativeSelect>
        </div>
      )}
      <CheckboxLine
        checked={preferences.mentions}
        onChecked={(on) => change.mutate({ mentions: on })}
        hint="A member mentions you in a note or assigns a shipment to you."
      >
        Mentions and assignments
      </CheckboxLine>
      {isOwner && (
        <CheckboxLine
          checked={preferences.notices}
          onChecked={(on) => change.mutate({ notices: on })}
          hint="A webhook endpoint was disabled, a carrier refused credentials or is failing, an import has finished."
        >
          Notices about the account
        </CheckboxLine>
      )}
      {change.error && <ProblemNote error={change.error} />}
    </section>
  );
}

function zonesWith(current: string): string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return [...new Set(['UTC', current, ...known])];
}
