import { Icon } from '../parts/icon.tsx';
import type { Command } from './commands.ts';

type Props = { id: string; line: Command; isFirst: boolean; isChosen: boolean; run: () => void; point: () => void };

export function PaletteLine({ id, line, isFirst, isChosen, run, point }: Props) {
  const isShipment = line.go?.to === '/shipments/$shipmentId';
  return (
    <>
      {isFirst && (
        <p role="presentation" className="px-4 pt-2 pb-1 text-label text-t3">
          {line.group}
        </p>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input above has the keys. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the input above keeps the focus. */}
      <div
        id={id}
        role="option"
        aria-selected={isChosen}
        onClick={run}
        onMouseMove={point}
        className="flex h-8 cursor-pointer items-center gap-2.5 px-4 aria-selected:bg-sel"
      >
        <Icon name={line.icon} size={14} className="text-t2" />
        <span className={`truncate ${isShipment ? 'shrink-0 font-medium font-mono text-number' : ''}`}>
          {line.name}
        </span>
        {line.hint !== undefined && (
          <span className="ml-auto min-w-0 truncate pl-3 text-label text-t3" dir="auto">
            {line.hint}
          </span>
        )}
      </div>
    </>
  );
}
