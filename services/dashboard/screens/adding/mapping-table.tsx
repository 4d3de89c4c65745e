import { importFields } from '#shared/contract/imports/import-columns.ts';
import { identifierKeys } from '#shared/domain/shipments/shipment.ts';
import { identifierWords } from '../../parts/code-words.ts';
import { InlineSelect } from '../../parts/select.tsx';
import type { CsvBeginning, Mapping } from './csv-columns.ts';

const fieldWords: Record<(typeof importFields)[number], string> = {
  transport_mode: 'Mode',
  carrier: 'Carrier',
  service_type: 'Service (LTL, FTL)',
  reference: 'Reference',
  tags: 'Tags',
  destination_postal_code: 'Destination postal code',
};

type Props = { beginning: CsvBeginning; mapping: Mapping; setMapping: (mapping: Mapping) => void };

/** The first rows of a file, and above each column what it holds. */
export function MappingTable({ beginning, mapping, setMapping }: Props) {
  const { header, rows } = beginning;
  const set = (at: number, name: string) =>
    setMapping(mapping.map((before, index) => (index === at ? (name === '' ? null : name) : before)));
  return (
    <table className="min-w-full border-collapse text-body">
      <caption className="sr-only">The first rows of the file; each column has a menu that says what it holds</caption>
      <thead>
        <tr className="border-line border-b align-bottom">
          {header.map((name, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name, and never move
            <th key={at} scope="col" className="min-w-[180px] px-2 py-2 text-left font-normal first:pl-4">
              <span className="mb-1 block max-w-[240px] truncate text-label text-t3" title={name}>
                {name.trim() === '' ? 'no name' : name}
              </span>
              <InlineSelect
                label={`What ${name.trim() === '' ? `column ${at + 1}` : name} holds`}
                className="w-full"
                value={mapping[at] ?? ''}
                onChange={({ target }) => set(at, target.value)}
              >
                <option value="">Leave out</option>
                <optgroup label="Number">
                  {identifierKeys.map((key) => (
                    <option key={key} value={key}>
                      {identifierWords[key]} ({key})
                    </option>
                  ))}
                  {isOther(mapping[at]) && <option value={mapping[at] ?? ''}>{mapping[at]}</option>}
                </optgroup>
                <optgroup label="Besides">
                  {importFields.map((field) => (
                    <option key={field} value={field}>
                      {fieldWords[field]}
                    </option>
                  ))}
                  {name.trim() !== '' && <option value={metadataName(name)}>Keep as {name.trim()}</option>}
                </optgroup>
              </InlineSelect>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no name but their place
          <tr key={row} className="h-8 border-line border-b">
            {header.map((_name, at) => (
              <td
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                key={at}
                title={cells[at]}
                className={`max-w-[240px] truncate px-2 first:pl-4 ${mapping[at] === null ? 'text-t3' : ''}`}
              >
                {cells[at] ?? ''}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** An alias, whose meaning the mode of the row decides. */
function isOther(name: string | null | undefined): boolean {
  return (
    typeof name === 'string' &&
    !name.startsWith('metadata.') &&
    !identifierKeys.some((key) => key === name) &&
    !importFields.some((field) => field === name)
  );
}

function metadataName(name: string): string {
  return /^metadata\./i.test(name.trim())
    ? `metadata.${name.trim().slice('metadata.'.length)}`
    : `metadata.${name.trim()}`;
}
