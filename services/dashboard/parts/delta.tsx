/** How much later or earlier than planned: `+31 h` amber, `−3 h` green, `on time`; hours under 48, else days. */
export function Delta({ hours, className = '' }: { hours: number | null | undefined; className?: string }) {
  if (hours === null || hours === undefined) return null;
  const rounded = Math.round(hours);
  if (rounded === 0) return <span className={`text-label text-t3 ${className}`}>on time</span>;
  const size = Math.abs(rounded) < 48 ? `${Math.abs(rounded)} h` : `${Math.round(Math.abs(rounded) / 24)} d`;
  const late = rounded > 0;
  return (
    <span
      className={`whitespace-nowrap text-label font-medium tabular-nums ${late ? 'text-amber' : 'text-green'} ${className}`}
      title={late ? `${size} later than planned` : `${size} earlier than planned`}
    >
      {late ? '+' : '−'}
      {size}
    </span>
  );
}
