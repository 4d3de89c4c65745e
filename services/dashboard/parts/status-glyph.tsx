import type { ReactNode } from 'react';

/** The disc fills as the goods advance; colour is the second signal, the word beside it the first. */
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

/** 14 px. An ornament beside its word. */
export function StatusGlyph({ status, size = 14 }: { status: string; size?: number }) {
  const { colour, shape } = glyphs[status] ?? { colour: 'text-grey', shape: <circle cx="7" cy="7" r="5.5" /> };
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
      {shape}
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

/** A solid disc with the sign cut out of it in the colour of the ground. */
function withDisc(sign: ReactNode): ReactNode {
  return (
    <>
      <circle cx="7" cy="7" r="6.250" fill="currentColor" stroke="none" />
      <g stroke="var(--bg)">{sign}</g>
    </>
  );
}
