const dayMs = 86_400_000;

/** For how long a key can be made; null: it does not end by itself. */
export const expiryPresets = [
  { id: 'never', name: 'Never', days: null },
  { id: '7d', name: '7 days', days: 7 },
  { id: '30d', name: '30 days', days: 30 },
  { id: '90d', name: '90 days', days: 90 },
  { id: '1y', name: '1 year', days: 365 },
  { id: 'date', name: 'On a date', days: null },
] as const;

export type ExpiryId = (typeof expiryPresets)[number]['id'];

/** When such a key ends, ISO UTC; `date` is a local day (`2027-04-15`), to its end. Null: never. Throws RangeError for a day that is none or over. */
export function expiresAt(id: ExpiryId, date: string, now: number): string | null {
  if (id === 'date') {
    const end = new Date(`${date}T23:59:59`);
    if (Number.isNaN(end.getTime()) || end.getTime() <= now) throw new RangeError('The day must lie ahead');
    return end.toISOString();
  }
  const days = expiryPresets.find((preset) => preset.id === id)?.days ?? null;
  return days === null ? null : new Date(now + days * dayMs).toISOString();
}
