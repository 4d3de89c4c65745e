import type { UseQueryResult } from '@tanstack/react-query';
import { type Column, Table } from '../../parts/table.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { minuteWords, percentWords } from '../../parts/words/figure-words.ts';
import type { TrackingReport } from './analytics-scope.ts';
import { CountLink, FigureLink } from './figure-link.tsx';

type Row = TrackingReport['groups'][number];

/**
 * Shows tracking health: the time to the first event for registrations of the period, and the present state of open
 * shipments.
 */
export function TrackingTable({ query: { data, error, refetch } }: { query: UseQueryResult<TrackingReport> }) {
  const rows =
    data && (data.groups.length === 0 ? [] : [{ key: '', name: 'All carriers', ...data.total }, ...data.groups]);
  return (
    <section className="shrink-0 pb-8">
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 border-line border-b bg-sunk px-4 py-1.5">
        <h2 className="text-section font-semibold">Tracking</h2>
        <span className="text-label text-t3">
          First events of shipments registered in the period. The other columns count open shipments
          {data?.measured_at == null ? (
            ', every five minutes'
          ) : (
            <>
              {' '}
              as of <Timestamp at={data.measured_at} />
            </>
          )}
          .
        </span>
      </div>
      <Table
        caption="Tracking by carrier"
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
        rowClassName={({ key }) =>
          `h-8 max-md:grid-cols-[1fr_auto_auto] max-md:gap-x-4 ${key === '' ? 'font-medium' : ''}`
        }
        narrow="stacked"
        skeletonRows={4}
        error={error}
        retry={() => void refetch()}
        empty={
          <p className="px-4 py-3 text-body text-t2">Nothing was registered in this period, and no shipment is open.</p>
        }
      />
    </section>
  );
}

const number = 'text-right tabular-nums md:w-24';
const wide = `${number} max-md:hidden`;
const none = <span className="text-t3">–</span>;
const nameOf = ({ key, name }: Row) => name ?? key;

/** A count of the list that a row has, narrowed. */
function counted(
  key: keyof Pick<Row, 'current' | 'stale' | 'waiting' | 'not_found' | 'failed'>,
  name: string,
  and: string,
  headTitle: string,
): Column<Row> {
  return {
    key,
    name,
    className: wide,
    headTitle,
    cell: (row) => (
      <CountLink count={row[key]} of={`${name.toLowerCase()}, ${nameOf(row)}`} list={row.tracked_list} and={and} />
    ),
  };
}

const columns: readonly Column<Row>[] = [
  {
    key: 'name',
    name: 'Carrier',
    isRowHeader: true,
    skeleton: 'w-40',
    className: 'max-md:col-span-3',
    cell: nameOf,
  },
  {
    key: 'registered',
    name: 'Registered',
    className: wide,
    cell: (row) => <CountLink count={row.registered} of={`registered, ${nameOf(row)}`} list={row.registered_list} />,
  },
  {
    key: 'without',
    name: 'No event yet',
    className: wide,
    cell: (row) => (
      <CountLink
        count={row.registered - row.with_events}
        of={`without an event, ${nameOf(row)}`}
        list={row.registered_list}
        and="has_events=false"
      />
    ),
  },
  {
    key: 'first',
    name: 'First event, median',
    className: `${wide} md:w-36`,
    headTitle: 'Time from the registration to the first event',
    cell: (row) =>
      row.first_event.median_minutes === null ? (
        none
      ) : (
        <FigureLink
          list={row.registered_list}
          and="has_events=true"
          label={`${minuteWords(row.first_event.median_minutes)} until the first event, ${nameOf(row)}: list those that have one`}
        >
          {minuteWords(row.first_event.median_minutes)}
        </FigureLink>
      ),
  },
  {
    key: 'tracked',
    name: 'Open',
    className: number,
    cell: (row) => (
      <>
        <CountLink count={row.tracked} of={`open, ${nameOf(row)}`} list={row.tracked_list} />
        <span className="text-t3 md:hidden"> open</span>
      </>
    ),
  },
  {
    key: 'share',
    name: 'Current',
    className: number,
    headTitle: 'Share of open shipments with current data',
    cell: (row) =>
      row.current_share === null ? (
        none
      ) : (
        <FigureLink
          list={row.tracked_list}
          and="freshness=fresh"
          label={`${percentWords(row.current_share)} with current data, ${nameOf(row)}: list them`}
        >
          {percentWords(row.current_share)}
          <span className="text-t3 md:hidden"> current</span>
        </FigureLink>
      ),
  },
  counted('stale', 'Outdated', 'freshness=stale', 'The last successful refresh is older than scheduled'),
  counted('waiting', 'No data', 'freshness=never', 'No refresh has found data yet'),
  counted(
    'not_found',
    'Not found',
    'tracking_reason=carrier_not_found_yet,not_found',
    'The carrier does not know them',
  ),
  counted('failed', 'Failed', 'tracking_state=failed', 'They can’t be tracked'),
];
