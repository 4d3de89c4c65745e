import { Link, useSearch } from '@tanstack/react-router';
import type { WireCarrier } from '../../../api/wire.ts';
import { wordOf } from '../../../parts/code-words.ts';
import { WarningMark } from '../../../parts/marks.tsx';
import { relativeWords } from '../../../parts/time-words.ts';
import { useNow } from '../../../parts/use-now.ts';
import { type AccessState, accessState, accessWords } from './access-words.ts';

/** A carrier a row; the whole row opens it. */
export function AccessTable({
  carriers,
  selectedCode,
}: {
  carriers: readonly WireCarrier[];
  selectedCode: string | null;
}) {
  const now = useNow();
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  return (
    <table className="w-full border-collapse text-body">
      <caption className="sr-only">Access to carriers</caption>
      <thead className="text-left text-label text-t3 max-md:hidden">
        <tr className="h-8 border-line border-b">
          <th scope="col" className="pl-4 font-normal">
            WireCarrier
          </th>
          <th scope="col" className="px-2 font-normal">
            Code
          </th>
          <th scope="col" className="px-2 font-normal max-lg:hidden">
            By
          </th>
          <th scope="col" className="px-2 font-normal">
            Credentials
          </th>
          <th scope="col" className="whitespace-nowrap pr-4 pl-2 text-right font-normal">
            Last answer
          </th>
        </tr>
      </thead>
      <tbody>
        {carriers.map((carrier) => {
          const state = accessState(carrier);
          const isSelected = carrier.code === selectedCode;
          const answered = carrier.health.last_success_at;
          return (
            <tr
              key={carrier.code}
              className={`relative h-8 border-line border-b max-md:h-14 ${isSelected ? 'bg-sel [box-shadow:inset_2px_0_0_var(--accent)]' : 'hover:bg-hover'}`}
            >
              <td
                className={`max-w-56 truncate pl-4 max-md:w-full max-md:max-w-0 max-md:pr-4 ${state === 'unsupported' ? 'text-t3' : ''}`}
              >
                <Link
                  to="/configuration/$section"
                  params={{ section: 'carriers' }}
                  search={{ ...search, carrier: carrier.code }}
                  aria-current={isSelected || undefined}
                  title={carrier.name}
                  className="after:absolute after:inset-0"
                >
                  {carrier.name}
                </Link>
                <span className="flex items-center gap-1.5 truncate text-label text-t3 md:hidden">
                  <AccessMark state={state} />
                  {accessWords(carrier, now)}
                </span>
              </td>
              <td className="px-2 font-mono text-number text-t2 max-md:hidden">{carrier.code}</td>
              <td className="whitespace-nowrap px-2 text-t2 max-lg:hidden">
                {carrier.transport_modes.map(wordOf).join(', ')}
              </td>
              <td className="w-full max-w-0 truncate px-2 text-t2 max-md:hidden" title={accessWords(carrier, now)}>
                <span className="flex items-center gap-1.5">
                  <AccessMark state={state} />
                  <span className="truncate">{accessWords(carrier, now)}</span>
                </span>
              </td>
              <td className="whitespace-nowrap pr-4 pl-2 text-right text-t2 tabular-nums max-md:hidden">
                {answered === null ? '' : relativeWords(answered, now)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const classNames: Partial<Record<AccessState, string>> = {
  own: 'bg-green border-green',
  instance: 'border-green',
  simulated: 'border-t3 border-dashed',
  missing: 'border-t3',
};

/** An ornament beside its words: filled for one's own, a ring for the installation's, a triangle where the carrier refuses. */
export function AccessMark({ state }: { state: AccessState }) {
  if (state === 'refused') return <WarningMark severity="critical" size={12} />;
  return (
    <span
      aria-hidden="true"
      className={`inline-block size-2 shrink-0 rounded-full border ${classNames[state] ?? 'border-transparent'}`}
    />
  );
}
