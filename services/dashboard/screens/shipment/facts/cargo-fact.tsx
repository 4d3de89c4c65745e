import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { Facts } from '../../../parts/facts.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import { weightWords } from '../../../parts/words/measure-words.ts';
import { Fact } from '../fact.tsx';

/** The service, and how much it is. */
export function CargoFact({ shipment }: { shipment: WireShipment }) {
  const { service, pieces_count: pieces, weight_kg: kg, events, transport_mode: mode } = shipment;
  const ulds = [...new Set(events.flatMap(({ details, flags }) => (flags.length > 0 ? [] : (details?.uld ?? []))))];
  if (service === null && pieces === null && kg === null && ulds.length === 0) return null;
  return (
    <Fact title={mode === 'parcel' ? 'Parcel' : 'Cargo'} value={[service, pieces, kg, ulds]}>
      <Facts
        columns="grid-cols-[88px_minmax(0,1fr)]"
        className="gap-y-0.5"
        rows={{
          Service: service === null ? null : <Service {...service} />,
          Pieces: pieces === null ? null : pieces.toLocaleString(numberLocale()),
          Weight: kg === null ? null : weightWords(kg),
          [ulds.length === 1 ? 'ULD' : 'ULDs']:
            ulds.length === 0 ? null : <span className="font-mono text-number">{ulds.join(', ')}</span>,
        }}
      />
    </Fact>
  );
}

function Service({ code, name }: NonNullable<WireShipment['service']>) {
  return <span title={code === null ? undefined : `Code ${code}`}>{name ?? code}</span>;
}
