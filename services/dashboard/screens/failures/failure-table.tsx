import { Link } from '@tanstack/react-router';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { leadingIdentifier } from '#shared/domain/words/group-identifier.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Identifier } from '../../parts/identifier.tsx';
import { Checkbox } from '../../parts/inputs/checkbox.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { credentialsOf } from './failure-actions.tsx';
import type { FailedShipment } from './group-failures.ts';

const modes: readonly string[] = ['ocean', 'air', 'road', 'rail', 'parcel'];

type Props = {
  caption: string;
  shipments: readonly FailedShipment[];
  isHeadShown: boolean;
  mayWrite: boolean;
  selected: ReadonlySet<string>;
  setSelected: (selected: ReadonlySet<string>) => void;
  /** Remedy for one shipment. `run` null: its carrier needs credentials. */
  action: { name: string; isBusy: boolean; run: ((shipmentId: string) => void) | null };
};

/** The shipments of one reason: which, whose, since when, and the next refresh. */
export function FailureTable({ caption, shipments, isHeadShown, ...rest }: Props) {
  return (
    <Table
      caption={caption}
      columns={columnsOf(rest)}
      rows={shipments}
      rowKey={({ shipment_id: id }) => id}
      rowClassName={() => 'h-8 max-md:grid-cols-[24px_1fr_auto] max-md:gap-x-2'}
      isSelected={({ shipment_id: id }) => rest.selected.has(id)}
      head={isHeadShown ? 'shown' : 'hidden'}
      narrow="stacked"
      isFixed
    />
  );
}

type Actions = Pick<Props, 'mayWrite' | 'selected' | 'setSelected' | 'action'>;

function columnsOf({ mayWrite, selected, setSelected, action }: Actions): readonly Column<FailedShipment>[] {
  return [
    {
      key: 'selected',
      name: 'Selected',
      isNameHidden: true,
      className: 'md:w-11 max-md:row-span-3 max-md:pt-0.5',
      cell: ({ shipment_id: id, identifiers }) =>
        mayWrite && (
          <Checkbox
            label={`Select ${leadingIdentifier(identifiers)?.value ?? id}`}
            checked={selected.has(id)}
            onChange={(isIn) => setSelected(withOne(selected, id, isIn))}
          />
        ),
    },
    {
      key: 'shipment',
      name: 'Shipment',
      className: 'md:w-[248px]',
      cell: ({ shipment_id: shipmentId, transport_mode: mode, identifiers }) => {
        const lead = leadingIdentifier(identifiers);
        return (
          <Link
            to="/shipments/$shipmentId"
            params={{ shipmentId }}
            className="flex items-center gap-2 underline-offset-2 hover:underline max-md:min-h-6"
          >
            {modes.includes(mode) && <Icon name={mode as IconName} size={16} className="text-t2" />}
            {lead === null ? (
              shipmentId
            ) : (
              <Identifier kind={lead.kind} value={lead.value} className="text-number max-md:text-body" />
            )}
          </Link>
        );
      },
    },
    {
      key: 'reference',
      name: 'Reference',
      className: 'md:w-[18%] max-md:text-right',
      cellClassName: 'truncate text-t2',
      cellTitle: ({ reference }) => reference ?? undefined,
      cell: ({ reference }) => reference ?? <span className="text-t3">–</span>,
    },
    {
      key: 'carrier',
      name: 'Carrier',
      className: 'md:w-[18%] max-md:col-start-2',
      cellClassName: 'truncate text-t2',
      cell: ({ carrier }) => findCarrier(carrier)?.name ?? carrier,
    },
    {
      key: 'since',
      name: 'Last response',
      className: 'max-md:col-start-2 max-md:text-label',
      cellClassName: 'text-t2',
      cell: ({ created_at: createdAt, tracking }) =>
        tracking.last_succeeded_at === null ? (
          <>
            no response, registered <Timestamp at={createdAt} />
          </>
        ) : (
          <>
            <span className="md:hidden">last response </span>
            <Timestamp at={tracking.last_succeeded_at} />
          </>
        ),
    },
    {
      key: 'next',
      name: 'Next refresh',
      className: 'text-right md:w-28 max-md:col-start-3 max-md:row-start-2',
      cellClassName: 'text-t2 tabular-nums',
      cell: ({ tracking }) =>
        tracking.next_refresh_at === null ? (
          <span className="text-t3">not scheduled</span>
        ) : (
          <NextRefresh at={tracking.next_refresh_at} />
        ),
    },
    {
      key: 'action',
      name: 'Action',
      isNameHidden: true,
      className:
        'text-right md:w-36 max-md:col-start-3 max-md:row-start-3 max-md:h-5 max-md:justify-self-end max-md:leading-5',
      cell: (shipment) => mayWrite && <RowAction shipment={shipment} {...action} />,
    },
  ];
}

const actionClasses = 'whitespace-nowrap text-accent underline-offset-2 hover:underline disabled:opacity-50';

function RowAction({ shipment, name, isBusy, run }: { shipment: FailedShipment } & Actions['action']) {
  const { shipment_id: id, identifiers, carrier } = shipment;
  if (run === null) {
    return (
      <Link
        {...credentialsOf(carrier)}
        aria-label={`${name}: ${findCarrier(carrier)?.name ?? carrier}`}
        className={actionClasses}
      >
        {name}
      </Link>
    );
  }
  return (
    <button
      type="button"
      disabled={isBusy}
      aria-label={`${name}: ${leadingIdentifier(identifiers)?.value ?? id}`}
      className={actionClasses}
      onClick={() => run(id)}
    >
      {name}
    </button>
  );
}

function NextRefresh({ at }: { at: string }) {
  return Date.parse(at) <= Date.now() ? 'due' : <Timestamp at={at} />;
}

function withOne(set: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}
