import type { ReactNode } from 'react';

/** The disc fills as the shipment advances. Colour is only the second signal after the text beside it. */
const glyphs: Record<string, { colour: string; shape: ReactNode }> = {
  pending: { colour: 'text-grey', shape: <circle cx="7" cy="7" r="5.5" strokeDasharray="2.2 2.1" /> },
  booked: { colour: 'text-grey', shape: <circle cx="7" cy="7" r="5.5" /> },
  in_transit: {
    colour: 'text-accent',
    shape: withRing(<path d="M7 3.500a3.500 3.500 0 0 1 0 7z" fill="currentColor" stroke="none" />),
  },
  arrived: {
    colour: 'text-teal',
    shape: withRing(<path d="M7 7V3.500A3.500 3.500 0 1 1 3.500 7z" fill="currentColor" stroke="none" />),
  },
  available_for_pickup: {
    colour: 'text-teal',
    shape: withRing(<circle cx="7" cy="7" r="3.500" fill="currentColor" stroke="none" />),
  },
  out_for_delivery: { colour: 'text-accent', shape: withDisc(<path d="M4.200 7h5M7 4.700 9.400 7 7 9.300" />) },
  delivered: { colour: 'text-green', shape: withDisc(<path d="M4.300 7.300 6.200 9.200 9.800 5.200" />) },
  returned: {
    colour: 'text-grey',
    shape: withRing(
      <path d="M6.200 5 4.400 6.800l1.800 1.800M4.600 6.800h3a1.600 1.600 0 0 1 1.600 1.600v.4" strokeWidth="1.2" />,
    ),
  },
  failed: { colour: 'text-red', shape: withDisc(<path d="M5 5l4 4M9 5 5 9" />) },
  cancelled: { colour: 'text-grey', shape: withRing(<path d="M3.300 10.700 10.700 3.300" />) },
};

/** Decorative, beside the text of the status. */
export function StatusGlyph({ status, size = 14 }: { status: string; size?: number }) {
  const { colour, shape } = glyphs[status] ?? { colour: 'text-grey', shape: <circle cx="7" cy="7" r="5.5" /> };
  return (
    <Mark colour={colour} size={size}>
      {shape}
    </Mark>
  );
}

function Mark({ colour, size, children }: { colour: string; size: number; children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 14 14"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 ${colour}`}
    >
      {children}
    </svg>
  );
}

function withRing(inside: ReactNode): ReactNode {
  return (
    <>
      <circle cx="7" cy="7" r="5.500" />
      {inside}
    </>
  );
}

/** A solid disc with a cut-out sign. */
function withDisc(sign: ReactNode): ReactNode {
  return (
    <>
      <circle cx="7" cy="7" r="6.250" fill="currentColor" stroke="none" />
      <g stroke="var(--bg)">{sign}</g>
    </>
  );
}

/** A warning triangle in front of its text. */
export function WarningMark({ severity, size = 14 }: { severity: string; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 14 14"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 ${severity === 'critical' ? 'text-red' : 'text-amber'}`}
    >
      <path d="M7 1.800 12.800 12H1.200zM7 5.500v3M7 10.200v.1" />
    </svg>
  );
}

const freeTimeShapes: Record<string, { colour: string; shape: ReactNode }> = {
  over: { colour: 'text-red', shape: withDisc(<path d="M7 3.800V7.600M7 10v.1" />) },
  expiring: { colour: 'text-amber', shape: withRing(<path d="M7 3.800V7l2.200 1.600" />) },
  unknown_terms: {
    colour: 'text-amber',
    shape: (
      <>
        <circle cx="7" cy="7" r="5.5" strokeDasharray="2.2 2.1" />
        <path d="M5.600 5.700a1.500 1.500 0 1 1 2.100 1.400c-.5.2-.7.5-.7 1M7 9.900v.1" strokeWidth="1.2" />
      </>
    ),
  },
  running: { colour: 'text-accent', shape: withRing(<path d="M7 3.800V7H4.800" />) },
  not_started: { colour: 'text-grey', shape: <circle cx="7" cy="7" r="5.5" strokeDasharray="2.2 2.1" /> },
  stopped: { colour: 'text-green', shape: withRing(<path d="M4.600 7.200 6.300 8.900 9.500 5.400" />) },
};

/** The state of a free-time clock, before its text. An unknown state has a question mark, never the icon of no risk. */
export function FreeTimeMark({ state, size = 14 }: { state: string; size?: number }) {
  const { colour, shape } = freeTimeShapes[state] ?? { colour: 'text-grey', shape: <circle cx="7" cy="7" r="5.5" /> };
  return (
    <Mark colour={colour} size={size}>
      {shape}
    </Mark>
  );
}

/** Freshness of tracking data: a dot for fresh, a triangle for stale, a dashed ring for never, a square for final. */
export function FreshnessMark({ freshness }: { freshness: string }) {
  return (
    <svg
      role="img"
      aria-label={freshnessWords[freshness] ?? freshness}
      width="10"
      height="10"
      viewBox="0 0 10 10"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.2"
      className={`shrink-0 ${freshnessColours[freshness] ?? 'text-t3'}`}
    >
      <title>{freshnessWords[freshness] ?? freshness}</title>
      {freshness === 'fresh' && <circle cx="5" cy="5" r="3" fill="currentColor" stroke="none" />}
      {freshness === 'stale' && <path d="M5 1.500 9 8.500H1z" strokeLinejoin="round" />}
      {freshness === 'never' && <circle cx="5" cy="5" r="3.500" strokeDasharray="1.600 1.500" />}
      {freshness === 'final' && <rect x="2" y="2" width="6" height="6" />}
    </svg>
  );
}

const freshnessWords: Record<string, string> = {
  fresh: 'Up to date',
  stale: 'Stale',
  never: 'No data yet',
  final: 'Final',
};
const freshnessColours: Record<string, string> = { fresh: 'text-green', stale: 'text-amber' };

/**
 * A state in front of its text: a dot for good, a triangle for warn, a disc with a cross for bad, a dashed ring for
 * none.
 */
export function StandingMark({ sign }: { sign: 'bad' | 'warn' | 'good' | 'none' }) {
  if (sign === 'bad') return <StatusGlyph status="failed" />;
  if (sign === 'warn') return <WarningMark severity="warning" />;
  if (sign === 'none') return <StatusGlyph status="pending" />;
  return (
    <span aria-hidden="true" className="grid size-3.5 shrink-0 place-items-center">
      <span className="size-1.5 rounded-full bg-green" />
    </span>
  );
}
