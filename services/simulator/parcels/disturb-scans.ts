import type { Fault } from '../faults.ts';

type Rendered = Record<string, unknown>;

/** How a carrier's list of scans goes wrong. `strange` is a scan of a kind that nobody knows, `withoutOffset` one with a bare local time. */
export type ScanFaults = { strange: (scan: Rendered) => Rendered; withoutOffset: (scan: Rendered) => Rendered };

/** The list of scans, newest first, as a faulty carrier would have it. */
export function disturbScans(scans: Rendered[], fault: Fault | null, { strange, withoutOffset }: ScanFaults): Rendered[] {
  const [newest] = scans;
  if (!newest) return scans;
  switch (fault?.kind) {
    case 'duplicates':
      return [...scans, ...scans];
    case 'shuffled':
      return [...scans.filter((_scan, index) => index % 2 === 1), ...scans.filter((_scan, index) => index % 2 === 0)];
    case 'vanished_event':
      return scans.slice(1);
    case 'unknown_event_type':
      return [strange(newest), ...scans];
    case 'time_without_offset':
      return scans.map(withoutOffset);
    default:
      return scans;
  }
}
