import { Button, IconButton } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { mistakeAt, nextKey, type RateDraft, type TermMistake } from './term-draft.ts';

type Props = {
  rates: readonly RateDraft[];
  change: (rates: readonly RateDraft[]) => void;
  mistakes: readonly TermMistake[];
  disabled: boolean;
};

const inputClasses = (isWrong: boolean) =>
  `h-8 w-full rounded-control border bg-bg px-2.5 text-body tabular-nums disabled:text-t3 ${isWrong ? 'border-red' : 'border-line2'}`;

/** Edits the rate of each charged day. Day 1 is the first one after the last free day. */
export function RateSteps({ rates, change, mistakes, disabled }: Props) {
  const set = (key: number, field: 'fromDay' | 'amount', value: string) =>
    change(rates.map((rate) => (rate.key === key ? { ...rate, [field]: value } : rate)));
  const add = () => {
    const last = rates.at(-1);
    const fromDay = last === undefined ? '1' : String(Number(last.fromDay || '0') + 1);
    change([...rates, { key: nextKey(), fromDay, amount: '' }]);
  };
  const whole = mistakeAt(
    mistakes.filter(({ field }) => field === 'rates'),
    'rates',
  );
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-label text-t2">Rates</legend>
      {rates.length === 0 && (
        <p className="text-label text-t3">Without rates, the days are known and the cost is not.</p>
      )}
      {rates.map(({ key, fromDay, amount }, index) => {
        const mistake = mistakeAt(mistakes, `rates/${index}`);
        return (
          <div key={key}>
            <div className="flex items-center gap-2">
              <span className="shrink-0 text-t2">From day</span>
              <span className="w-16 shrink-0">
                <input
                  type="number"
                  min={1}
                  aria-label={`Step ${index + 1}: from day`}
                  aria-invalid={mistakeAt(mistakes, `rates/${index}/from_day`) !== null || undefined}
                  className={inputClasses(mistakeAt(mistakes, `rates/${index}/from_day`) !== null)}
                  disabled={disabled}
                  value={fromDay}
                  onChange={({ target }) => set(key, 'fromDay', target.value)}
                />
              </span>
              <span className="min-w-0 flex-1">
                <input
                  type="number"
                  min={0}
                  step="any"
                  placeholder="Amount a day"
                  aria-label={`Step ${index + 1}: amount a day`}
                  aria-invalid={mistakeAt(mistakes, `rates/${index}/amount`) !== null || undefined}
                  className={inputClasses(mistakeAt(mistakes, `rates/${index}/amount`) !== null)}
                  disabled={disabled}
                  value={amount}
                  onChange={({ target }) => set(key, 'amount', target.value)}
                />
              </span>
              <IconButton
                icon="close"
                label={`Remove step ${index + 1}`}
                disabled={disabled}
                onClick={() => change(rates.filter((rate) => rate.key !== key))}
              />
            </div>
            {mistake !== null && (
              <p role="alert" className="mt-1 text-label text-red">
                {mistake}
              </p>
            )}
          </div>
        );
      })}
      {whole !== null && (
        <p role="alert" className="text-label text-red">
          {whole}
        </p>
      )}
      {!disabled && (
        <Button className="self-start" onClick={add}>
          <Icon name="plus" size={14} /> {rates.length === 0 ? 'Add rates' : 'Add step'}
        </Button>
      )}
    </fieldset>
  );
}
