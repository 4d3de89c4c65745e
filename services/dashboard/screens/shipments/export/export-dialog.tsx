import { type FormEvent, useState } from 'react';
import type { ExportField } from '#shared/contract/lists/export-fields.ts';
import { Button } from '../../../parts/button.tsx';
import { PanelDialog } from '../../../parts/dialogs/panel-dialog.tsx';
import { useStored } from '../../../parts/hooks/use-stored.ts';
import { CheckboxLine } from '../../../parts/inputs/checkbox.tsx';
import { ChoiceCards } from '../../../parts/inputs/choice-cards.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import { useColumns } from '../columns.ts';
import type { View } from '../list-search.ts';
import { exportColumns, fieldsOfList } from './export-columns.ts';
import type { ExportFormat } from './export-sink.ts';

type Choice = { isPart: boolean; format: ExportFormat; fields: readonly ExportField[] | null };

type Props = {
  view: View;
  /** Number of shipments in the list, formatted; null while unknown. */
  total: string | null;
  /** Number of selected shipments. */
  selected: number;
  start: (choice: Choice) => void;
  close: () => void;
};

const formats = [
  { value: 'xlsx', name: 'Excel', explains: 'A workbook (.xlsx).' },
  { value: 'csv', name: 'CSV', explains: 'Text for any spreadsheet.' },
  { value: 'ndjson', name: 'JSON lines', explains: 'For programs.' },
] as const;

/** Dialog for the scope, the format and the columns of an export. This browser remembers the format and the columns. */
export function ExportDialog({ view, total, selected, start, close }: Props) {
  const [isPart, setPart] = useState(selected > 0);
  const [format, setFormat] = useStored<ExportFormat>('landfall.export.format', readFormat);
  const [fields, setFields] = useStored<readonly ExportField[] | null>('landfall.export.fields', readFields);
  const [listColumns] = useColumns(view);
  const shown = fields ?? exportColumns.map(({ field }) => field);
  const setChecked = (field: ExportField, isChecked: boolean) => {
    const next = exportColumns
      .map((column) => column.field)
      .filter((one) => (one === field ? isChecked : shown.includes(one)));
    setFields(next.length === exportColumns.length ? null : next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start({ isPart, format, fields });
  };
  return (
    <PanelDialog
      title="Export"
      close={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" form="export" disabled={shown.length === 0}>
            Export
          </Button>
        </>
      }
    >
      <form id="export" onSubmit={submit} className="flex flex-col gap-5">
        {selected > 0 && (
          <ChoiceCards
            label="Shipments"
            value={isPart ? 'part' : 'whole'}
            choices={[
              { value: 'part', name: `Selected (${selected.toLocaleString(numberLocale())})`, explains: 'Only these.' },
              {
                value: 'whole',
                name: total === null ? 'Whole list' : `Whole list (${total})`,
                explains: 'Every page.',
              },
            ]}
            choose={(choice) => setPart(choice === 'part')}
          />
        )}
        <ChoiceCards label="File" value={format} choices={formats} choose={setFormat} />
        <fieldset>
          <legend className="mb-1 text-label text-t2">Columns</legend>
          <div className="mb-2 flex flex-wrap gap-2">
            <Button onClick={() => setFields(null)}>All</Button>
            <Button onClick={() => setFields(fieldsOfList(listColumns))}>As in the list</Button>
            <Button onClick={() => setFields([])}>None</Button>
          </div>
          <p className="mb-2 text-label text-t3">
            The shipment ID is always there. Some have several columns, such as a place with its name and code.
          </p>
          <div className="grid grid-cols-2 gap-x-4 gap-y-2 max-sm:grid-cols-1">
            {exportColumns.map(({ field, name }) => (
              <CheckboxLine
                key={field}
                checked={shown.includes(field)}
                onChecked={(isChecked) => setChecked(field, isChecked)}
              >
                {name}
              </CheckboxLine>
            ))}
          </div>
          {shown.length === 0 && (
            <p role="alert" className="mt-2 text-label text-red">
              Choose at least one column.
            </p>
          )}
        </fieldset>
      </form>
    </PanelDialog>
  );
}

function readFormat(stored: unknown): ExportFormat {
  return formats.find(({ value }) => value === stored)?.value ?? 'xlsx';
}

function readFields(stored: unknown): readonly ExportField[] | null {
  if (!Array.isArray(stored)) return null;
  const known = exportColumns.map(({ field }) => field).filter((field) => stored.includes(field));
  return known.length === exportColumns.length ? null : known;
}
