import type { Caller } from '#shared/domain/caller.ts';
import type { PlaceSuggestion, ShipmentFilter } from '#shared/domain/lists/filter.ts';
import { findPlace } from '#shared/places/find-place.ts';
import { nearestPlaces } from '#shared/places/nearest-places.ts';
import { countPlaces } from '#shared/store/lists/place-counts.ts';
import type { Tx } from '#shared/store/with-account.ts';

const maxSuggestions = 5;

/** For a list without matches: the account's own places nearest to the origins and destinations that were asked for. */
export async function suggestPlaces(tx: Tx, caller: Caller, filter: ShipmentFilter): Promise<PlaceSuggestion[]> {
  const suggestions: PlaceSuggestion[] = [];
  for (const end of ['origin', 'destination'] as const) {
    const [asked] = filter[end] ?? [];
    if (asked === undefined) continue;
    const places = nearestPlaces(asked, await countPlaces(tx, caller, end), maxSuggestions);
    suggestions.push({
      end,
      asked,
      places: places.map(({ unlocode, iata, name, shipments }) => ({
        name: findPlace(unlocode)?.name ?? name,
        code: unlocode ?? iata,
        shipments,
      })),
    });
  }
  return suggestions;
}
