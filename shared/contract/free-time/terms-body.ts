import { z } from 'zod';
import type { InputMistake } from '#shared/domain/errors.ts';
import { clockKinds } from '#shared/domain/events/stated-free-time.ts';
import { equipmentGroups, type FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import { clockStarts } from '#shared/domain/record/free-time.ts';
import { jsonPointer, refusal } from '../input/input-mistakes.ts';
import { bodyMistakes, parseBody, unreadableBody } from '../input/parse-body.ts';
import { plainText } from '../input/plain-text.ts';
import { type JsonLimits, readJson } from '../input/read-json.ts';

export const maxTerms = 2000;
const maxRateSteps = 20;
/** Mistakes that one answer names. */
export const maxTermMistakes = 100;

const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null);
const dayBasis = z.enum(['calendar', 'working']);
const countryCode = z.string().regex(/^[A-Z]{2}$/, { error: 'must be an ISO 3166-1 alpha-2 code such as NL.' });
const day = z.iso.date({ error: 'must be a date such as 2026-01-31.' });

/** One row of free-time terms, as sent. */
export const freeTimeTermRow = z.strictObject({
  kind: z.enum(clockKinds).meta({
    description:
      '`demurrage`: from the start event until the full container leaves the terminal. `detention`: from then until ' +
      'the empty container is back. `combined`: one clock over both.',
    examples: ['demurrage'],
  }),
  carrier: optional(plainText({ max: 64 })).meta({
    description: 'Carrier, by code, alias or name. Null: any.',
    examples: ['MAEU'],
  }),
  place: optional(z.string().regex(/^[A-Z]{2}[A-Z2-9]{3}$/, { error: 'must be a UN/LOCODE such as NLRTM.' })).meta({
    description: 'UN/LOCODE of the port or ramp. Null: any.',
    examples: ['NLRTM'],
  }),
  country: optional(countryCode).meta({
    description: 'Country of the port or ramp, ISO 3166-1 alpha-2. Null: any.',
    examples: ['NL', null],
  }),
  equipment: optional(z.enum(equipmentGroups)).meta({
    description:
      'Equipment, by ISO 6346 type: `reefer` (R, H), `tank` (T, K), `special` (open top, platform, bulk and others), ' +
      '`standard` (the rest). Null: any.',
    examples: ['reefer', null],
  }),
  free_days: z
    .int()
    .min(0)
    .max(365)
    .meta({ description: 'Free days.', examples: [5] }),
  start_event: optional(z.enum(clockStarts)).meta({
    description:
      'The event that starts the clock. Default: `discharged`; for detention it is always `gate_out_full`. ' +
      '`available_for_pickup` starts it once the container is available and no hold is active.',
    examples: ['discharged'],
  }),
  first_day: z
    .enum(['same_day', 'next_day'])
    .default('next_day')
    .meta({
      description: 'Whether the day of the start event is the first free day, or the day after it.',
      examples: ['next_day'],
    }),
  counting: dayBasis.default('calendar').meta({
    description: 'Which days count as free days. `working` leaves out weekends and public holidays.',
    examples: ['working'],
  }),
  charged_days: dayBasis.default('calendar').meta({
    description: 'Which days after the last free day are charged.',
    examples: ['calendar'],
  }),
  calendar_country: optional(countryCode).meta({
    description:
      'Whose weekends and public holidays `working` means. Null: those of `country`, otherwise those of `place`.',
    examples: ['NL', null],
  }),
  rates: z
    .array(
      z.strictObject({
        from_day: z
          .int()
          .min(1)
          .max(1000)
          .meta({ description: 'Charged day from which the rate applies. The first step is 1.', examples: [1] }),
        amount: z
          .number()
          .min(0)
          .max(1_000_000)
          .meta({ description: 'Price of each day, in units of `currency`.', examples: [85] }),
      }),
    )
    .max(maxRateSteps)
    .default([])
    .meta({
      description: 'Daily rates, by the charged day from which they apply. Empty: the rates are not known.',
      examples: [
        [
          { from_day: 1, amount: 85 },
          { from_day: 6, amount: 140 },
        ],
      ],
    }),
  currency: optional(z.string().regex(/^[A-Z]{3}$/, { error: 'must be an ISO 4217 code such as EUR.' })).meta({
    description: 'ISO 4217. Required with `rates`.',
    examples: ['EUR', null],
  }),
  valid_from: optional(day).meta({
    description: 'First local day on which a clock may start under these terms. Null: any.',
    examples: ['2026-01-01', null],
  }),
  valid_to: optional(day).meta({
    description: 'Last local day on which a clock may start under these terms. Null: any.',
    examples: ['2026-12-31', null],
  }),
});

export type FreeTimeTermRow = z.output<typeof freeTimeTermRow>;

/** The body as documented. `readTermsBody` reads it row by row. */
export const freeTimeTermsBody = z.strictObject({
  terms: z
    .array(freeTimeTermRow)
    .max(maxTerms)
    .meta({ description: `All rows, at most ${maxTerms.toLocaleString('en')}. They replace those stored before.` }),
});

const outlineBody = z.strictObject({ terms: z.array(z.unknown()).max(maxTerms) });

/** A row has 15 fields and 20 steps of 2. */
const termsLimits: JsonLimits = { keys: maxTerms * 56, entries: maxTerms * 22, depth: 8 };

/**
 * Reads terms sent as JSON, yielding after each row. Throws LandfallError `invalid_json`, `validation_failed` or
 * `unknown_field`.
 */
export function* readTermsBody(bytes: Uint8Array): Generator<void, FreeTimeTerm[]> {
  const read = readJson(bytes, termsLimits);
  if ('problem' in read) throw unreadableBody(read.problem, termsLimits);
  yield;
  return yield* readTermRows(parseBody(outlineBody, read.value).terms);
}

/**
 * Reads rows that are parsed already. `lineOf`: where the row stands in a file, which its mistakes then name. Throws one
 * LandfallError with the mistakes of all rows.
 */
export function* readTermRows(
  rows: readonly unknown[],
  lineOf: (index: number) => string = () => '',
): Generator<void, FreeTimeTerm[]> {
  const terms: FreeTimeTerm[] = [];
  const mistakes: InputMistake[] = [];
  for (const [index, row] of rows.entries()) {
    const result = freeTimeTermRow.safeParse(row);
    if (result.success) terms.push(toTerm(result.data));
    else
      mistakes.push(
        ...bodyMistakes(result.error, row, Object.keys(freeTimeTermRow.shape), 'The row').map(
          ({ pointer, code, detail }) => ({
            pointer: `${jsonPointer(['terms', index])}${pointer}`,
            code,
            detail: `${lineOf(index)}${detail}`,
          }),
        ),
      );
    yield;
  }
  if (mistakes.length > 0) throw refusal(mistakes.slice(0, maxTermMistakes));
  return terms;
}

function toTerm(row: FreeTimeTermRow): FreeTimeTerm {
  return {
    kind: row.kind,
    carrier: row.carrier,
    place: row.place,
    country: row.country,
    equipment: row.equipment,
    freeDays: row.free_days,
    startEvent: row.start_event ?? (row.kind === 'detention' ? 'gate_out_full' : 'discharged'),
    firstDay: row.first_day,
    counting: row.counting,
    chargedDays: row.charged_days,
    calendarCountry: row.calendar_country,
    rates: row.rates.map(({ from_day, amount }) => ({ fromDay: from_day, amount })),
    currency: row.currency,
    validFrom: row.valid_from,
    validTo: row.valid_to,
  };
}

/** A stored row on the wire: what a client may send back. */
export function toWireTerm(term: FreeTimeTerm): FreeTimeTermRow {
  return {
    kind: term.kind,
    carrier: term.carrier,
    place: term.place,
    country: term.country,
    equipment: term.equipment,
    free_days: term.freeDays,
    start_event: term.startEvent,
    first_day: term.firstDay,
    counting: term.counting,
    charged_days: term.chargedDays,
    calendar_country: term.calendarCountry,
    rates: term.rates.map(({ fromDay, amount }) => ({ from_day: fromDay, amount })),
    currency: term.currency,
    valid_from: term.validFrom,
    valid_to: term.validTo,
  };
}
