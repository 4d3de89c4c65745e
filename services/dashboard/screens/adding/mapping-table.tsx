import { type ImportField, importFields } from '#shared/contract/imports/column-names.ts';
import type { WireImportPreview } from '#shared/contract/imports/import-wire.ts';
import { identifierKeys } from '#shared/domain/record/shipment.ts';
import { InlineSelect } from '../../parts/inputs/select.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { identifierWords } from '../../parts/words/code-words.ts';
import { statedWords } from '../../parts/words/stated-words.ts';
import { isMetadata, type Mapping, metadataKey, metadataName, typedMetadataName } from './file-columns.ts';

export const fieldWords: Record<ImportField, string> = {
  ...statedWords,
  transport_mode: 'Mode',
  carrier: 'Carrier',
  service_type: 'Service (LTL, FTL)',
  destination_postal_code: 'Destination postal code',
  tracking_mode: 'Tracking (polled, pushed)',
  stale_after_hours: 'Stale after (hours)',
  metadata: 'Metadata (JSON)',
  shipment_id: 'Shipment ID (updates the shipment)',
};

type Props = { start: WireImportPreview; mapping: Mapping; setMapping: (mapping: Mapping) => void };

/** The first rows of a file. The head of each column has a menu that maps it. */
export function MappingTable({ start, mapping, setMapping }: Props) {
  const { header, rows } = start;
  const set = (at: number, name: string) =>
    setMapping(mapping.map((before, index) => (index === at ? (name === '' ? null : name) : before)));
  const columns = header.map(
    (name, at): Column<string[]> => ({
      key: String(at),
      name: (
        <ColumnMenu
          name={name}
          at={at}
          value={mapping[at] ?? ''}
          hasKeys={mapping.some(isMetadata)}
          onChoose={(field) => set(at, field)}
        />
      ),
      className: 'min-w-[180px] max-w-[240px] align-bottom',
      cellClassName: `truncate ${mapping[at] === null ? 'text-t3' : ''}`,
      cellTitle: (cells) => cells[at],
      cell: (cells) => cells[at] ?? '',
    }),
  );
  return (
    <Table
      caption="The first rows of the file. The menu in each column header maps the column to a field."
      columns={columns}
      rows={rows}
      rowKey={(_, index) => String(index)}
    />
  );
}

/** The choice in the menu. The key has a field of its own. */
const keptAsMetadata = 'metadata.';

type MenuProps = {
  name: string;
  at: number;
  value: string;
  /** Some column has a field for its key: the others keep its height free. */
  hasKeys: boolean;
  onChoose: (field: string) => void;
};

function ColumnMenu({ name, at, value, hasKeys, onChoose }: MenuProps) {
  const isNamed = name.trim() !== '';
  return (
    <>
      <span className="mt-2 mb-1 block max-w-[240px] truncate text-label text-t3" title={name}>
        {isNamed ? name : 'no name'}
      </span>
      <InlineSelect
        label={`Field for ${isNamed ? name : `column ${at + 1}`}`}
        className="mb-1.5 w-full"
        value={isMetadata(value) ? keptAsMetadata : value}
        onChange={({ target }) =>
          onChoose(target.value === keptAsMetadata ? metadataName(isNamed ? name : `Column ${at + 1}`) : target.value)
        }
      >
        <option value="">Skip</option>
        <optgroup label="Number">
          {identifierKeys.map((key) => (
            <option key={key} value={key}>
              {identifierWords[key]} ({key === 'po' ? 'reference, except road' : key})
            </option>
          ))}
        </optgroup>
        <optgroup label="Other fields">
          {importFields.map((field) => (
            <option key={field} value={field}>
              {fieldWords[field]}
            </option>
          ))}
          <option value={keptAsMetadata}>Metadata</option>
        </optgroup>
      </InlineSelect>
      {hasKeys && (
        <span className="mb-2 block h-7">
          {isMetadata(value) && (
            <input
              aria-label={`Metadata key for ${isNamed ? name : `column ${at + 1}`}`}
              value={metadataKey(value)}
              onChange={({ target }) => onChoose(typedMetadataName(target.value))}
              className="h-7 w-full rounded-control border border-line2 bg-bg px-2 font-normal text-body text-t1"
            />
          )}
        </span>
      )}
    </>
  );
}
