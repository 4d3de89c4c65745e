import { maxRatePerSecond, type Ordering, type Payload, timeoutSeconds } from '#shared/domain/webhooks/endpoint.ts';
import { ProblemError } from '../../../api/problem-error.ts';
import { ChoiceCards } from '../../../parts/inputs/choice-cards.tsx';
import { TextField } from '../../../parts/inputs/text-field.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import type { EndpointDraft } from './endpoint-draft.ts';
import { FilterFields } from './filter-fields.tsx';
import { HeadersFields } from './headers-fields.tsx';
import { TypesChoice } from './types-choice.tsx';

const payloads: readonly { value: Payload; name: string; explains: string }[] = [
  { value: 'summary', name: 'Summary', explains: 'The change as in the feed.' },
  { value: 'full', name: 'Full', explains: 'With the whole record of the shipment.' },
  { value: 'thin', name: 'Thin', explains: 'Ids only. Read the rest with the API.' },
];
const orderings: readonly { value: Ordering; name: string; explains: string }[] = [
  { value: 'none', name: 'As fast as possible', explains: 'A retried delivery may arrive after newer ones.' },
  { value: 'shipment', name: 'In order per shipment', explains: 'A failed delivery holds back its shipment only.' },
];

type Props = { draft: EndpointDraft; change: (draft: EndpointDraft) => void; error: unknown; isNew: boolean };

/** Fields of an endpoint that the user sets. */
export function EndpointFields({ draft, change, error, isNew }: Props) {
  const set =
    <Name extends keyof EndpointDraft>(name: Name) =>
    (value: EndpointDraft[Name]) =>
      change({ ...draft, [name]: value });
  return (
    <>
      <TextField
        label="URL"
        hint="An https:// address that accepts POST requests."
        placeholder="https://erp.example.com/hooks/landfall"
        type="url"
        required
        autoFocus={isNew}
        spellCheck={false}
        value={draft.url}
        error={mistakeAt(error, '/url')}
        onChange={({ target }) => set('url')(target.value)}
      />
      <TextField
        label="Description (optional)"
        placeholder="Warehouse system"
        maxLength={500}
        value={draft.description}
        onChange={({ target }) => set('description')(target.value)}
      />
      <TypesChoice types={draft.types} choose={set('types')} />
      <FilterFields filter={draft.filter} change={set('filter')} />
      <ChoiceCards label="Payload" value={draft.payload} choices={payloads} choose={set('payload')} />
      <ChoiceCards label="Order" value={draft.ordering} choices={orderings} choose={set('ordering')} />
      <div className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
        <TextField
          label="Requests per second (optional)"
          hint={`At most ${maxRatePerSecond.toLocaleString(numberLocale())}. Empty: no limit.`}
          type="number"
          min={1}
          max={maxRatePerSecond}
          value={draft.rate}
          onChange={({ target }) => set('rate')(target.value)}
        />
        <TextField
          label="Timeout in seconds"
          hint={`1 to ${timeoutSeconds.most}. A later response counts as a failure.`}
          type="number"
          required
          min={1}
          max={timeoutSeconds.most}
          value={draft.timeout}
          onChange={({ target }) => set('timeout')(target.value)}
        />
      </div>
      <HeadersFields draft={draft} change={change} />
    </>
  );
}

/** Returns the API's error for one field. */
function mistakeAt(error: unknown, pointer: string): string | null {
  if (!(error instanceof ProblemError)) return null;
  return error.errors.find((mistake) => mistake.pointer === pointer)?.detail ?? null;
}
