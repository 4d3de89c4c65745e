/** Whether what is shown can be believed to be current: fresh a dot, stale a triangle, never a dashed ring, final a square. 10 px. */
export function FreshnessMark({ freshness }: { freshness: string }) {
  return (
    <svg
      role="img"
      aria-label={words[freshness] ?? freshness}
      width="10"
      height="10"
      viewBox="0 0 10 10"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.2"
      className={`shrink-0 ${colours[freshness] ?? 'text-t3'}`}
    >
      <title>{words[freshness] ?? freshness}</title>
      {freshness === 'fresh' && <circle cx="5" cy="5" r="3" fill="currentColor" stroke="none" />}
      {freshness === 'stale' && <path d="M5 1.500 9 8.500H1z" strokeLinejoin="round" />}
      {freshness === 'never' && <circle cx="5" cy="5" r="3.500" strokeDasharray="1.600 1.500" />}
      {freshness === 'final' && <rect x="2" y="2" width="6" height="6" />}
    </svg>
  );
}

const words: Record<string, string> = {
  fresh: 'Up to date',
  stale: 'Older than planned',
  never: 'Not seen yet',
  final: 'Final',
};
const colours: Record<string, string> = { fresh: 'text-green', stale: 'text-amber' };
