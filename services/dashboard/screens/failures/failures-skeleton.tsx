import { Skeleton } from '../../parts/skeleton.tsx';

const groups = [3, 2];

/** Two groups of the real height. */
export function FailuresSkeleton() {
  return (
    <div aria-hidden="true">
      <div className="h-[44px] border-line border-b px-4 py-3">
        <Skeleton className="w-64" />
      </div>
      {groups.map((rows, group) => (
        <div key={rows}>
          <div className="flex h-[58px] flex-col gap-2 border-line border-b bg-sunk px-4 py-3 max-sm:h-[158px]">
            <Skeleton className="w-48" />
            <Skeleton className="w-full max-w-xl" />
          </div>
          {group === 0 && <div className="h-8 border-line border-b max-sm:hidden" />}
          {Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
            <div key={row} className="flex h-8 items-center gap-6 border-line border-b px-4 max-sm:h-[85px]">
              <Skeleton className="w-40" />
              <Skeleton className="w-20" />
              <Skeleton className="w-28" />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
