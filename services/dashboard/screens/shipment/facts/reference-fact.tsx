import type { ReactNode } from 'react';
import type { WireShipment } from '#shared/contract/wire-schemas.ts';
import { identifierWords, wordOf } from '../../../parts/code-words.ts';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Identifier } from '../../../parts/identifier.tsx';
import { momentWords } from '../../../parts/time-words.ts';
import { useNow } from '../../../parts/use-now.ts';
import { Fact } from '../fact.tsx';

/** Every number the shipment is known by, and what its owner wrote on it. */
export function ReferenceFact({ shipment }: { shipment: WireShipment }) {
  const now = useNow();
  const { identifiers, reference, tags, metadata } = shipment;
  const numbers = Object.entries(identifiers).filter((entry): entry is [string, string] => entry[1] !== null);
  return (
    <Fact title="Reference" value={[identifiers, reference, tags, metadata]}>
      <dl className="grid grid-cols-[112px_minmax(0,1fr)] gap-y-0.5">
        {numbers.map(([key, value]) => (
          <Line key={key} name={identifierWords[key as keyof typeof identifierWords] ?? wordOf(key)}>
            <span className="group inline-flex h-5 max-w-full items-center gap-1">
              <span className="min-w-0 overflow-x-auto">
                <Identifier kind={key} value={value} className="text-label" />
              </span>
              <span className="-my-1 opacity-0 focus-within:opacity-100 group-hover:opacity-100 print:hidden">
                <CopyButton iconOnly text={value} label={`Copy ${value}`} />
              </span>
            </span>
          </Line>
        ))}
        {reference !== null && <Line name="Reference">{reference}</Line>}
        {Object.entries(metadata).map(([key, value]) => (
          <Line key={key} name={key}>
            {value}
          </Line>
        ))}
        {tags.length > 0 && <Line name="Tags">{tags.join(', ')}</Line>}
        {shipment.service_type !== null && <Line name="Service">{shipment.service_type.toUpperCase()}</Line>}
        {shipment.destination_postal_code !== null && (
          <Line name="Postal code">{shipment.destination_postal_code}</Line>
        )}
        <Line name="Registered">{momentWords(shipment.created_at, { now })}</Line>
        <Line name="Id">
          <span className="select-all break-all font-mono text-number">{shipment.shipment_id}</span>
        </Line>
      </dl>
    </Fact>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="truncate text-t3" title={name} dir="auto">
        {name}
      </dt>
      <dd className="min-w-0 break-words text-left" dir="auto">
        {children}
      </dd>
    </>
  );
}
