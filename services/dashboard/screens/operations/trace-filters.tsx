import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import type { TraceSearch } from './operations-query.ts';

const fieldClasses = 'h-7 min-w-0 rounded-control border border-line2 bg-bg px-2.5 text-body placeholder:text-t3';

/** What is typed counts once it is sent: half a shipment's id is none. */
export function TraceFilters({ search, set }: { search: TraceSearch; set: (more: TraceSearch) => void }) {
  const [shipment, setShipment] = useState(search.shipment ?? '');
  const [carrier, setCarrier] = useState(search.carrier ?? '');
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        set({ shipment: shipment.trim(), carrier: carrier.trim() });
      }}
    >
      <input
        aria-label="Shipment id"
        placeholder="shp_…"
        value={shipment}
        onChange={({ target }) => setShipment(target.value)}
        className={`${fieldClasses} w-60 font-mono`}
      />
      <input
        aria-label="Carrier code"
        placeholder="Carrier, MAEU"
        value={carrier}
        onChange={({ target }) => setCarrier(target.value)}
        className={`${fieldClasses} w-32`}
      />
      <Button type="submit">Find</Button>
      {(search.shipment !== undefined || search.carrier !== undefined) && (
        <Button kind="quiet" onClick={() => set({ shipment: '', carrier: '' })}>
          Clear
        </Button>
      )}
    </form>
  );
}
