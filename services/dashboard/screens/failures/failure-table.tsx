import { Link } from '@tanstack/react-router';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { IconButton } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Identifier } from '../../parts/identifier.tsx';
import { Moment } from '../../parts/moment.tsx';
import { type FailedShipment, mainIdentifier } from './group-failures.ts';

const modes: readonly string[] = ['ocean', 'air', 'road', 'rail', 'parcel'];

type Props = {
  shipment: FailedShipment;
  mayWrite: boolean;
  selected: boolean;
  select: (selected: boolean) => void;
  /** Null: adding a number would not help here. */
  correct: (() => void) | null;
};

/** One shipment: whose, since when nothing is known, when it is tried next. */
export function FailureRow({ shipment, mayWrite, selected, select, correct }: Props) {
  const {
    shipment_id: shipmentId,
    transport_mode: mode,
    carrier,
    identifiers,
    reference,
    created_at: createdAt,
    tracking,
  } = shipment;
  const { kind, value } = mainIdentifier(identifiers);
  return (
    <tr
      className={`h-8 border-line border-b max-sm:grid max-sm:h-auto max-sm:grid-cols-[24px_1fr_auto] max-sm:gap-x-2 max-sm:px-4 max-sm:py-2.5 ${selected ? 'bg-sel' : 'hover:bg-hover'}`}
    >
      <td className="pl-4 max-sm:row-span-3 max-sm:w-auto max-sm:pt-0.5 max-sm:pl-0">
        {mayWrite && <Checkbox label={`Choose ${value}`} checked={selected} onChange={select} />}
      </td>
      <td className="pr-3">
        <Link
          to="/shipments/$shipmentId"
          params={{ shipmentId }}
          className="flex items-center gap-2 underline-offset-2 hover:underline max-sm:min-h-6"
        >
          {modes.includes(mode) && <Icon name={mode as IconName} size={16} className="text-t2" />}
          <Identifier kind={kind} value={value} className="text-number max-sm:text-body" />
        </Link>
      </td>
      <td className="truncate pr-3 text-t2 max-sm:pr-0 max-sm:text-right" title={reference ?? undefined}>
        {reference ?? <span className="text-t3">–</span>}
      </td>
      <td className="truncate pr-3 text-t2 max-sm:col-start-2">{findCarrier(carrier)?.name ?? carrier}</td>
      <td className="pr-3 text-t2 max-sm:col-start-2 max-sm:text-label">
        {tracking.last_succeeded_at === null ? (
          <>
            never seen, registered <Moment at={createdAt} />
          </>
        ) : (
          <>
            last answer <Moment at={tracking.last_succeeded_at} />
          </>
        )}
      </td>
      <td className="pr-3 text-right text-t2 tabular-nums max-sm:col-start-3 max-sm:row-start-2 max-sm:pr-0">
        {tracking.next_refresh_at === null ? (
          <span className="text-t3">not asked</span>
        ) : (
          <NextTry at={tracking.next_refresh_at} />
        )}
      </td>
      <td className="pr-3 text-right max-sm:col-start-3 max-sm:row-start-3 max-sm:h-5 max-sm:w-auto max-sm:justify-self-end max-sm:pr-0 max-sm:leading-5">
        {correct !== null && mayWrite && (
          <IconButton icon="plus" label={`Add a number to ${value}`} onClick={correct} />
        )}
      </td>
    </tr>
  );
}

/** What is due this moment waits for its turn. */
function NextTry({ at }: { at: string }) {
  return Date.parse(at) <= Date.now() ? <span>due now</span> : <Moment at={at} />;
}
