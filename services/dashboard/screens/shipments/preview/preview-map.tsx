import type { WireShipment } from '#shared/contract/wire-schemas.ts';
import { routeLine } from '../../shipment/route/route-line.ts';
import { RouteMap } from '../../shipment/route/route-map.tsx';
import { stopsOf } from '../../shipment/route/route-stops.ts';

/** The voyage in small; nothing where no place is known by its coordinates. */
export function PreviewMap({ shipment }: { shipment: WireShipment }) {
  const stops = stopsOf(shipment);
  const line = routeLine(stops, shipment.latest_event);
  return line === null ? null : <RouteMap line={line} stops={stops} shipment={shipment} isSmall />;
}
