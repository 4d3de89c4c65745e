import { Skeleton, SkeletonRows } from '../../parts/skeleton.tsx';

const facts = [3, 6, 2, 3, 7];

/** The layout of the page while the record loads. */
export function ShipmentSkeleton() {
  return (
    <div role="status" aria-label="Loading shipment">
      <div className="flex h-[52px] items-center gap-3 border-line border-b px-4">
        <Skeleton className="w-20" />
        <Skeleton className="h-4 w-44" />
        <Skeleton className="w-40" />
      </div>
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_400px]">
        <div className="border-line lg:col-start-2 lg:row-start-1 lg:border-l">
          {facts.map((lines, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identical and never move
            <div key={index} className="border-line border-b px-4 py-4">
              {Array.from({ length: lines }, (_, line) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identical and never move
                <div key={line} className="flex h-5 items-center">
                  <Skeleton className={line === 0 ? 'w-28' : line % 2 === 0 ? 'w-52' : 'w-64'} />
                </div>
              ))}
            </div>
          ))}
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-start-1">
          <div className="h-[280px] border-line border-b bg-sea max-sm:h-[220px]" />
          <div className="h-[128px] border-line border-b" />
          <div className="h-10 border-line border-b" />
          <SkeletonRows rows={9} cells={['w-16', 'w-40', 'ml-auto w-32']} className="h-8 gap-6 px-6" />
        </div>
      </div>
    </div>
  );
}
