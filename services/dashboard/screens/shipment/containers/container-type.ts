const lengths: Record<string, string> = { 1: "10'", 2: "20'", 3: "30'", 4: "40'", L: "45'", M: "48'", P: "53'" };
const highCubes = ['5', '6', 'E', 'F'];
const kinds: Record<string, string> = {
  G: 'dry',
  V: 'ventilated',
  B: 'bulk',
  S: 'named cargo',
  R: 'reefer',
  H: 'insulated',
  U: 'open top',
  P: 'flat rack',
  T: 'tank',
  A: 'air',
  K: 'tank',
  N: 'tank',
};

/** An ISO 6346 size and type as text, `45G1` as `40' high cube`. Other texts are returned unchanged. */
export function containerType(isoType: string | null): string {
  if (isoType === null) return '';
  const code = isoType.toUpperCase();
  const length = lengths[code.charAt(0)];
  const kind = kinds[code.charAt(2)];
  if (code.length !== 4 || length === undefined || kind === undefined) return isoType;
  const isHigh = highCubes.includes(code.charAt(1));
  // Nearly every high cube is dry, so the kind is left out.
  if (isHigh) return kind === 'dry' ? `${length} high cube` : `${length} high cube ${kind}`;
  return `${length} ${kind}`;
}
