import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { InlineSelect } from '../../parts/inputs/select.tsx';
import { modeWords } from '../../parts/words/code-words.ts';
import { carrierName } from '../shipments/row-words.ts';
import { isPeriod, presets, readPeriod, type TrackingReport, type useAnalyticsScope } from './analytics-scope.ts';

type Props = { state: ReturnType<typeof useAnalyticsScope>; carriers: TrackingReport['groups'] };

const dateClasses = 'h-7 rounded-control border border-line2 bg-bg px-2 text-body tabular-nums';

/** The period and the filters. */
export function ScopeBar({ state, carriers }: Props) {
  const { scope, today, setDays, setMode, setCarrier } = state;
  const isCustom = scope.days.includes('..');
  const setDay = (end: 'from' | 'to', day: string) => {
    if (day === '') return;
    const { from, to } = end === 'from' ? { from: day, to: scope.to } : { from: scope.from, to: day };
    // The other end follows, so that the period neither ends before it begins nor gets too long.
    setDays(isPeriod(from, to) ? `${from}..${to}` : `${day}..${day}`);
  };
  const codes = [...new Set([...carriers.map(({ key }) => key), ...(scope.carrier === '' ? [] : [scope.carrier])])];
  return (
    <search className="flex min-h-[44px] shrink-0 flex-wrap items-center gap-2 border-line border-b px-4 py-2 print:hidden">
      <InlineSelect
        label="Period"
        value={isCustom ? 'custom' : scope.days}
        onChange={({ target: { value } }) => {
          const { from, to } = readPeriod(scope.days, today);
          setDays(value === 'custom' ? `${from}..${to}` : value);
        }}
      >
        {presets.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
        <option value="custom">Choose days</option>
      </InlineSelect>
      {isCustom && (
        <span className="flex items-center gap-1.5">
          <input
            type="date"
            aria-label="First day"
            value={scope.from}
            max={today}
            onChange={({ target }) => setDay('from', target.value)}
            className={dateClasses}
          />
          <span aria-hidden="true">–</span>
          <input
            type="date"
            aria-label="Last day"
            value={scope.to}
            max={today}
            onChange={({ target }) => setDay('to', target.value)}
            className={dateClasses}
          />
        </span>
      )}
      <InlineSelect label="Mode" value={scope.mode} onChange={({ target }) => setMode(target.value)}>
        <option value="">All modes</option>
        {transportModes.map((mode) => (
          <option key={mode} value={mode}>
            {modeWords[mode]}
          </option>
        ))}
      </InlineSelect>
      <InlineSelect
        label="Carrier"
        value={scope.carrier}
        onChange={({ target }) => setCarrier(target.value)}
        className="max-w-56"
      >
        <option value="">All carriers</option>
        {codes.map((code) => (
          <option key={code} value={code}>
            {carrierName(code)}
          </option>
        ))}
      </InlineSelect>
    </search>
  );
}
