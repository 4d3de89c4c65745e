/** When the answers about all voyages are recorded, in this order. */
export const phaseNames = ['played', 'settled', 'unpacked', 'settled-again', 'restored'] as const;
export type PhaseName = (typeof phaseNames)[number];

/** Throws when a name is none of a phase. */
export function phasesOf(list: string): ReadonlySet<PhaseName> {
  const unknown = list.split(',').filter((name) => !phaseNames.some((known) => known === name));
  if (unknown.length > 0) throw new Error(`--phases must be of ${phaseNames.join(', ')}; not ${unknown.join(', ')}`);
  return new Set(phaseNames.filter((name) => list.split(',').includes(name)));
}
