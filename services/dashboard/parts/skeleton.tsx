/** Stands where text will be, of its height, so that nothing moves when it comes. */
export function Skeleton({ className = 'w-24' }: { className?: string }) {
  return <span aria-hidden="true" className={`inline-block h-3 rounded-badge bg-line align-middle ${className}`} />;
}

/** Rows of 32 px that stand until the real ones come. */
export function RowSkeletons({ rows = 6, label }: { rows?: number; label: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={index} className="flex h-8 items-center gap-6 border-line border-b px-4">
          <Skeleton className="w-40" />
          <Skeleton className="w-28" />
          <Skeleton className="ml-auto w-16" />
        </div>
      ))}
    </div>
  );
}
