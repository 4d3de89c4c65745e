import { Skeleton } from '../../parts/skeleton.tsx';

const figures = ['Oldest due', 'Carrier calls', 'Carriers in trouble', 'Refreshes failed', 'Feed behind'];
const rows = 8;

/** The page before its numbers, of their height. */
export function OperationsSkeleton() {
  return (
    <div aria-hidden="true">
      <div className="h-[52px] border-line border-b px-4 py-3.5">
        <Skeleton className="w-72" />
      </div>
      <div className="grid grid-cols-5 gap-px border-line border-b bg-line max-lg:grid-cols-2">
        {figures.map((name) => (
          <div key={name} className="h-[88px] bg-bg px-4 py-4 max-lg:last:col-span-2">
            <p className="text-label text-t2">{name}</p>
            <Skeleton className="mt-3 w-16" />
          </div>
        ))}
      </div>
      <div className="h-10 border-line border-b" />
      <div className="h-8 border-line border-b max-md:hidden" />
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={row} className="flex h-8 items-center gap-10 border-line border-b px-4 max-md:h-[57px]">
          <Skeleton className="w-28" />
          <Skeleton className="w-20" />
          <Skeleton className="w-48" />
        </div>
      ))}
    </div>
  );
}
