import type { ViewedRow } from '#shared/contract/mcp/view-data.ts';
import { rowOf } from '../../screens/shipments/shipment-row.ts';
import { DrawnOrText } from '../drawn-or-text.tsx';
import { PlainNote, PlainRows } from '../plain-text.tsx';
import { ResultTable } from './result-table.tsx';

type Props = {
  caption: string;
  /** Null: the host did not pass the records on. */
  rows: readonly ViewedRow[] | null;
  /** The rows of the result, which have texts alone. */
  plain: readonly { shipment_id: string }[];
  /** Null: rows can't be opened. */
  open: ((id: string) => void) | null;
};

/** The shipments of a result: as a table of their records, otherwise as text. */
export function ResultRows({ caption, rows, plain, open }: Props) {
  const text = (
    <>
      <PlainNote />
      <PlainRows caption={caption} rows={plain} open={open} />
    </>
  );
  if (rows === null) return text;
  return (
    <DrawnOrText text={text}>
      <DrawnRows caption={caption} rows={rows} open={open} />
    </DrawnOrText>
  );
}

function DrawnRows({ rows, ...rest }: Pick<Props, 'caption' | 'open'> & { rows: readonly ViewedRow[] }) {
  return <ResultTable rows={rows.map(rowOf)} {...rest} />;
}
