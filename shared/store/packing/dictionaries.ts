/**
 * The dictionaries that texts are packed with. All are made from the simulator's answers and what Landfall composed of
 * them, never from an account's data. A number is never used again and its file never changes or goes: a database holds
 * values that were packed with it.
 */
export const dictionaries = [
  { number: 1, name: 'ocean', madeFrom: 'events of the ocean lines, as they were sent' },
  { number: 2, name: 'air', madeFrom: 'events of the air cargo carriers, as they were sent' },
  { number: 3, name: 'parcel', madeFrom: 'events of UPS, FedEx, DHL and LTL carriers, as they were sent' },
  { number: 4, name: 'change', madeFrom: 'the data of changes in the feed' },
  { number: 5, name: 'settled', madeFrom: 'events, status history and refreshes of shipments, as JSON' },
  { number: 6, name: 'record', madeFrom: 'journeys as they are stored and as the API returns them' },
] as const;

export type DictionaryName = (typeof dictionaries)[number]['name'];
