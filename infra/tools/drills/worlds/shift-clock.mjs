// Loaded into every Node process of a drill. Shifts the clock of workers, or of DRILL_CLOCK_OF, by DRILL_CLOCK_OFFSET_MS,
// and stops it at DRILL_CLOCK_STOPS_AT_MS if that is set.
const offsetMs = Number(process.env.DRILL_CLOCK_OFFSET_MS ?? 0);
const stopsAtMs = Number(process.env.DRILL_CLOCK_STOPS_AT_MS ?? Number.POSITIVE_INFINITY);
if (process.argv[1]?.includes(`services/${process.env.DRILL_CLOCK_OF ?? 'worker'}/`) && offsetMs !== 0) {
  const RealDate = globalThis.Date;
  const nowMs = () => Math.min(RealDate.now() + offsetMs, stopsAtMs);
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(nowMs());
      else super(...args);
    }
    static now() {
      return nowMs();
    }
  };
}
