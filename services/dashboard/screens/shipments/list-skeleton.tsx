import { Skeleton } from '../../parts/skeleton.tsx';

const widths = [132, 116, 148, 124, 140, 120, 136, 128, 144, 118, 134, 126];

/** Lines of the rows' height, while the first ones are read. */
export function ListSkeleton() {
  return (
    <div role="status" aria-label="Reading the list">
      <div className="h-8 border-line border-b max-sm:hidden" />
      {widths.map((width) => (
        <div key={width} className="flex h-8 items-center gap-10 border-line border-b px-4 max-sm:h-[82px]">
          <span style={{ width }}>
            <Skeleton className="w-full" />
          </span>
          <Skeleton className="w-16 max-sm:hidden" />
          <Skeleton className="w-20 max-sm:hidden" />
          <Skeleton className="w-28" />
          <Skeleton className="w-20 max-lg:hidden" />
          <Skeleton className="ml-auto w-8" />
        </div>
      ))}
    </div>
  );
}
