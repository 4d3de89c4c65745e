/** Stands where text will be, of its height, so that nothing moves when it comes. */
export function Skeleton({ className = 'w-24' }: { className?: string }) {
  return <span aria-hidden="true" className={`inline-block h-3 rounded-badge bg-line align-middle ${className}`} />;
}
