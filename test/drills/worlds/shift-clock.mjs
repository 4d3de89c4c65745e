// Loaded into every Node process of a drill. Shifts the clock of workers by DRILL_CLOCK_OFFSET_MS.
const offsetMs = Number(process.env.DRILL_CLOCK_OFFSET_MS ?? 0);
if (process.argv[1]?.includes('services/worker/') && offsetMs !== 0) {
  const RealDate = globalThis.Date;
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(RealDate.now() + offsetMs);
      else super(...args);
    }
    static now() {
      return RealDate.now() + offsetMs;
    }
  };
}
