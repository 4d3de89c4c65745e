import { Button } from '../../../parts/button.tsx';

/** Shipments that entered the list. They are not inserted before somebody asks, so that rows do not move. */
export function ArrivedNote({ arrived, show }: { arrived: number; show: () => void }) {
  return (
    <div role="status" className="flex h-9 shrink-0 items-center gap-3 border-line border-b bg-sel px-4 print:hidden">
      {arrived === 1 ? '1 new shipment' : `${arrived} new shipments`} in this list
      <Button kind="quiet" className="text-accent" onClick={show}>
        Show
      </Button>
    </div>
  );
}
