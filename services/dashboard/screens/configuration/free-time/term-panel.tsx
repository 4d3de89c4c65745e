import type { ReactNode } from 'react';
import { type ClockKind, clockKinds } from '#shared/domain/events/stated-free-time.ts';
import { equipmentGroups } from '#shared/domain/free-time/terms.ts';
import { Button } from '../../../parts/button.tsx';
import { Panel } from '../../../parts/dialogs/panel.tsx';
import { NativeSelect } from '../../../parts/inputs/select.tsx';
import { TextField } from '../../../parts/inputs/text-field.tsx';
import { capital } from '../../../parts/words/code-words.ts';
import { clockKindWords } from '../../../parts/words/free-time-words.ts';
import { CodeField } from './code-field.tsx';
import { carrierOptions, countryOptions, currencyOptions, usePlaceOptions } from './code-options.ts';
import { RateSteps } from './rate-steps.tsx';
import { mistakeAt, type TermDraft, type TermMistake } from './term-draft.ts';
import { equipmentWords, startsOf, startWords, withKind } from './term-words.ts';

type Props = {
  term: TermDraft;
  title: string;
  mistakes: readonly TermMistake[];
  /** Undefined: the user may only read. */
  change: ((term: TermDraft) => void) | undefined;
  duplicate: () => void;
  remove: () => void;
  close: () => void;
};

/** The fields of one row. Changes apply to the table at once, and to the account when the table is saved. */
export function TermPanel({ term, title, mistakes, change, duplicate, remove, close }: Props) {
  const places = usePlaceOptions();
  const disabled = change === undefined;
  const wrong = (...fields: string[]) => mistakeAt(mistakes, ...fields);
  const whole = mistakeAt(
    mistakes.filter(({ field }) => field === ''),
    '',
  );
  const set =
    <Name extends keyof TermDraft>(name: Name) =>
    (value: TermDraft[Name]) =>
      change?.({ ...term, [name]: value });
  const code = (
    label: string,
    name: 'carrier' | 'place' | 'country' | 'calendarCountry' | 'currency',
    field: string,
  ) => ({
    label,
    value: term[name],
    onValue: set(name),
    error: wrong(field),
    disabled,
  });
  return (
    <Panel
      title={title}
      close={close}
      footer={
        disabled ? null : (
          <>
            <Button kind="danger" onClick={remove}>
              Delete
            </Button>
            <Button onClick={duplicate}>Duplicate</Button>
            <Button kind="primary" className="ml-auto" onClick={close}>
              Done
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-6 p-5">
        {whole !== null && (
          <p role="alert" className="text-red">
            {whole}
          </p>
        )}
        <Group title="Applies to">
          <Select
            label="Clock"
            value={term.kind}
            options={clockKinds.map((kind) => [kind, clockKindWords[kind]])}
            onValue={(kind) => change?.(withKind(term, kind as ClockKind))}
            error={wrong('kind')}
            disabled={disabled}
          />
          <div className="grid grid-cols-2 items-start gap-3">
            <CodeField {...code('Carrier', 'carrier', 'carrier')} options={carrierOptions} placeholder="Any carrier" />
            <Select
              label="Equipment"
              value={term.equipment}
              options={[['', 'Any'], ...equipmentGroups.map((group) => [group, equipmentWords[group]] as const)]}
              onValue={(group) => set('equipment')(group as TermDraft['equipment'])}
              error={wrong('equipment')}
              disabled={disabled}
            />
            <CodeField {...code('Place (UN/LOCODE)', 'place', 'place')} options={places} placeholder="Any place" />
            <CodeField
              {...code('Country', 'country', 'country')}
              options={countryOptions()}
              placeholder="Any country"
            />
          </div>
          <p className="text-label text-t3">
            Of the rows that match a container, the most specific counts: by carrier, then place, country, equipment.
          </p>
        </Group>
        <Group title="Free time">
          <div className="grid grid-cols-2 items-start gap-3">
            <TextField
              label="Free days"
              type="number"
              min={0}
              value={term.freeDays}
              error={wrong('free_days')}
              disabled={disabled}
              onChange={({ target }) => set('freeDays')(target.value)}
            />
            <Select
              label="Counted in"
              value={term.counting}
              options={dayKinds}
              onValue={(days) => set('counting')(days as TermDraft['counting'])}
              error={wrong('counting')}
              disabled={disabled}
            />
            <Select
              label="Starts with"
              value={term.startEvent}
              options={startsOf(term.kind).map((start) => [start, capital(startWords[start])])}
              onValue={(start) => set('startEvent')(start as TermDraft['startEvent'])}
              error={wrong('start_event')}
              disabled={disabled}
            />
            <Select
              label="First free day"
              value={term.firstDay}
              options={[
                ['next_day', 'The day after'],
                ['same_day', 'The same day'],
              ]}
              onValue={(day) => set('firstDay')(day as TermDraft['firstDay'])}
              error={wrong('first_day')}
              disabled={disabled}
            />
          </div>
        </Group>
        <Group title="After free time">
          <RateSteps rates={term.rates} change={set('rates')} mistakes={mistakes} disabled={disabled} />
          <div className="grid grid-cols-2 items-start gap-3">
            <CodeField
              {...code('Currency', 'currency', 'currency')}
              options={currencyOptions()}
              placeholder="USD"
              maxLength={3}
            />
            <Select
              label="Charged days"
              value={term.chargedDays}
              options={dayKinds}
              onValue={(days) => set('chargedDays')(days as TermDraft['chargedDays'])}
              error={wrong('charged_days')}
              disabled={disabled}
            />
          </div>
        </Group>
        <Group title="Calendar and validity">
          <CodeField
            {...code('Calendar', 'calendarCountry', 'calendar_country')}
            options={countryOptions()}
            placeholder="Country of the place"
            hint="Whose weekends and public holidays are not working days."
          />
          <div className="grid grid-cols-2 items-start gap-3">
            <TextField
              label="Valid from"
              type="date"
              value={term.validFrom}
              error={wrong('valid_from')}
              disabled={disabled}
              onChange={({ target }) => set('validFrom')(target.value)}
            />
            <TextField
              label="Valid until"
              type="date"
              value={term.validTo}
              error={wrong('valid_to')}
              disabled={disabled}
              onChange={({ target }) => set('validTo')(target.value)}
            />
          </div>
          <p className="text-label text-t3">The days on which a clock may start. Empty: open.</p>
        </Group>
      </div>
    </Panel>
  );
}

const dayKinds = [
  ['calendar', 'Calendar days'],
  ['working', 'Working days'],
] as const;

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-semibold text-body">{title}</h3>
      {children}
    </section>
  );
}

type SelectProps = {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onValue: (value: string) => void;
  error: string | null;
  disabled: boolean;
};

function Select({ label, value, options, onValue, error, disabled }: SelectProps) {
  return (
    <NativeSelect
      label={label}
      value={value}
      disabled={disabled}
      aria-invalid={error === null ? undefined : true}
      onChange={({ target }) => onValue(target.value)}
      hint={error === null ? undefined : <span className="text-red">{error}</span>}
    >
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </NativeSelect>
  );
}
