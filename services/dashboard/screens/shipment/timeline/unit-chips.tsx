import { Chip } from '../../../parts/chip.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { StatusGlyph } from '../../../parts/marks.tsx';
import { MenuChoices, PopupMenu } from '../../../parts/menu.tsx';
import { type UnitKind, type Units, unitWords } from './event-unit.ts';

const maxChips = 3;

type Props = { units: Units; chosen: string | null; choose: (number: string | null) => void };

/** A chip for each container or piece while they are few, else one chip for all and a menu. */
export function UnitChips({ units: { kind, all }, chosen, choose }: Props) {
  if (all.length < 2) return null;
  return (
    <>
      <Chip active={chosen === null} onClick={() => choose(null)}>
        {all.length === 2 ? `Both ${kind}s` : `All ${all.length} ${kind}s`}
      </Chip>
      {all.length <= maxChips ? (
        all.map(({ number }) => (
          <Chip
            key={number}
            active={chosen === number}
            onClick={() => choose(chosen === number ? null : number)}
            className="font-mono text-number"
          >
            {unitWords(kind, number)}
          </Chip>
        ))
      ) : (
        <PopupMenu
          className={`inline-flex h-[26px] shrink-0 items-center gap-1.5 rounded-chip border px-2.5 max-sm:h-[30px] max-sm:rounded-[15px] ${chosen === null ? 'border-line2 text-t2 hover:bg-hover' : 'border-accent bg-sel text-t1'}`}
          trigger={
            <>
              {chosen === null ? `One ${kind}` : <UnitNumber kind={kind} number={chosen} />}
              <Icon name="down" size={12} />
            </>
          }
        >
          <MenuChoices
            value={chosen}
            choose={choose}
            choices={all.map(({ number, status }) => ({
              value: number,
              label: number,
              name: (
                <>
                  <StatusGlyph status={status} />
                  <UnitNumber kind={kind} number={number} />
                </>
              ),
            }))}
          />
        </PopupMenu>
      )}
    </>
  );
}

function UnitNumber({ kind, number }: { kind: UnitKind; number: string }) {
  return <span className="font-mono text-number">{unitWords(kind, number)}</span>;
}
