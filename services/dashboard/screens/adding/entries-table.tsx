import type { Choice, Entry } from './entries.ts';
import { EntryRow } from './entry-row.tsx';
import type { Results } from './plan-registration.ts';

const heads = ['Line', 'Number', 'Mode', 'Kind', 'Carrier', 'Note'];

/** What every number is taken for, one row each. */
export function EntriesTable({
  entries,
  results,
  ...rest
}: {
  entries: readonly Entry[];
  results: Results;
  test: boolean;
  locked: boolean;
  choose: (key: string, choice: Choice) => void;
}) {
  return (
    <table className="w-full border-collapse text-body max-md:block">
      <thead className="sticky top-0 z-10 bg-bg max-md:sr-only">
        <tr className="h-8 border-line border-b text-left text-label text-t3">
          {heads.map((head, index) => (
            <th
              key={head}
              scope="col"
              className={`pr-3 font-normal ${index === 0 ? 'pl-4 text-right' : index > 1 && index < 5 ? 'pl-2' : ''}`}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {entries.map((entry) => (
          <EntryRow
            key={`${entry.line} ${entry.number} ${entry.state === 'duplicate'}`}
            entry={entry}
            result={results.get(entry.key)}
            {...rest}
          />
        ))}
      </tbody>
    </table>
  );
}
