import type { WireRules } from '#shared/contract/alerts/alert-wire.ts';
import { maxEtaHours, maxFailingHours, maxFreeTimeDays, maxSilentDays } from '#shared/domain/alerts/alert.ts';
import { statuses } from '#shared/domain/record/shipment.ts';
import { statusWords } from '#shared/domain/words/status-words.ts';
import { CheckboxLine } from '../../parts/inputs/checkbox.tsx';

type Props = { rules: WireRules; isOfView: boolean; change: (rules: WireRules) => void };
type AmountName = 'eta_moved_hours' | 'failing_hours' | 'silent_days' | 'free_time_days';

const amounts: { name: AmountName; before: string; unit: string; usual: number; max: number }[] = [
  { name: 'eta_moved_hours', before: 'The ETA moves by at least', unit: 'hours', usual: 24, max: maxEtaHours },
  { name: 'failing_hours', before: 'Tracking fails for at least', unit: 'hours', usual: 12, max: maxFailingHours },
  { name: 'silent_days', before: 'No new event for', unit: 'days', usual: 5, max: maxSilentDays },
  { name: 'free_time_days', before: 'Free time ends within', unit: 'days', usual: 3, max: maxFreeTimeDays },
];

/** The rules that notify the member. */
export function RuleFields({ rules, isOfView, change }: Props) {
  const set = (name: keyof WireRules, value: unknown) => {
    const { [name]: _before, ...others } = rules;
    change(value === undefined ? others : { ...others, [name]: value });
  };
  const toggle = (name: 'enters' | 'leaves' | 'exception', text: string) => (
    <CheckboxLine checked={rules[name] === true} onChecked={(on) => set(name, on ? true : undefined)}>
      {text}
    </CheckboxLine>
  );
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-2 font-semibold text-section">Notify me when</legend>
      {isOfView && toggle('enters', 'A shipment enters the view')}
      {isOfView && toggle('leaves', 'A shipment leaves the view')}
      {toggle('exception', 'An exception opens')}
      <CheckboxLine
        checked={rules.statuses !== undefined}
        onChecked={(on) => set('statuses', on ? ['delivered'] : undefined)}
      >
        It reaches a status
      </CheckboxLine>
      {rules.statuses !== undefined && (
        <div className="ml-6.5 flex flex-wrap gap-x-4 gap-y-1.5">
          {statuses.map((status) => (
            <CheckboxLine
              key={status}
              checked={rules.statuses?.includes(status) === true}
              onChecked={(on) => {
                const others = (rules.statuses ?? []).filter((one) => one !== status);
                const next = on ? [...others, status] : others;
                set('statuses', next.length === 0 ? undefined : next);
              }}
            >
              {statusWords[status]}
            </CheckboxLine>
          ))}
        </div>
      )}
      {amounts.map(({ name, before, unit, usual, max }) => (
        <div key={name} className="flex flex-wrap items-center gap-2">
          <CheckboxLine checked={rules[name] !== undefined} onChecked={(on) => set(name, on ? usual : undefined)}>
            {before}
          </CheckboxLine>
          <input
            type="number"
            aria-label={`${before}, in ${unit}`}
            min={1}
            max={max}
            value={rules[name] ?? usual}
            disabled={rules[name] === undefined}
            onChange={(event) => {
              const amount = Math.round(Number(event.target.value));
              if (amount >= 1 && amount <= max) set(name, amount);
            }}
            className="h-7 w-18 rounded-control border border-line2 bg-bg px-2 text-body tabular-nums disabled:text-t3"
          />
          <span className="text-t2">{unit}</span>
        </div>
      ))}
    </fieldset>
  );
}
