import type { EdiFormat } from '#shared/domain/events-in/edi-report.ts';

/** Relations that a format has nothing to vary for, with the reason. `relations` matches their names. */
export type EdiException = { format: EdiFormat; relations: RegExp; reason: string };

export const ediExceptions: readonly EdiException[] = [
  { format: 'cargo_imp', relations: /^wrapped|^one segment/, reason: 'Its lines have a meaning.' },
  { format: 'cargo_imp', relations: /^other separators|^empty elements/, reason: 'Its separators are fixed.' },
  {
    format: 'cargo_imp',
    relations: /^an unknown segment/,
    reason: 'An unknown line is the remark of the line before.',
  },
  { format: 'cargo_imp', relations: /^messages in/, reason: 'A message ends with the next one, and has no number.' },
  { format: 'cargo_imp', relations: /^recoded in UNO|UNA/, reason: 'It has no repertoires and no UNA.' },
  { format: 'x12', relations: /^recoded in UNO|UNA/, reason: 'It has no repertoires and no UNA.' },
];
