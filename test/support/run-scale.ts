import process from 'node:process';

/** `npm run drills` sets it: generated cases, replays and drills run in full. */
const inFull = process.env.LANDFALL_DRILLS === 'full';

/** Runs of a property test: all of them in the drills, else a tenth, but at least ten. */
export function runs(all: number): number {
  return inFull ? all : Math.min(all, Math.max(10, Math.ceil(all / 10)));
}

/** Rows of a generated table: all of them in the drills, else every tenth. */
export function sampleRows<Row>(rows: readonly Row[]): Row[] {
  return inFull ? [...rows] : rows.filter((_, index) => index % 10 === 0);
}

/** One of two sizes: `short` in `npm test`, `full` in the drills. */
export function scaled<Value>({ short, full }: { short: Value; full: Value }): Value {
  return inFull ? full : short;
}
