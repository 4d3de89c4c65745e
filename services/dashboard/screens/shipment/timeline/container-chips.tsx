import type { WireContainer } from '../../../api/wire.ts';
import { Chip } from '../../../parts/chip.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { groupIdentifier } from '../../../parts/identifier.tsx';
import { StatusGlyph } from '../../../parts/marks.tsx';
import { MenuChoices, PopupMenu } from '../../../parts/menu.tsx';

const maxChips = 3;

type Props = {
  containers: readonly WireContainer[];
  chosen: string | null;
  choose: (container: string | null) => void;
};

/** A chip for each container while they are few, else one chip for all and a menu. */
export function ContainerChips({ containers, chosen, choose }: Props) {
  if (containers.length < 2) return null;
  return (
    <>
      <Chip active={chosen === null} onClick={() => choose(null)}>
        {containers.length === 2 ? 'Both containers' : `All ${containers.length} containers`}
      </Chip>
      {containers.length <= maxChips ? (
        containers.map(({ number }) => (
          <Chip
            key={number}
            active={chosen === number}
            onClick={() => choose(chosen === number ? null : number)}
            className="font-mono text-number"
          >
            {groupIdentifier('container', number)}
          </Chip>
        ))
      ) : (
        <PopupMenu
          className={`inline-flex h-[26px] shrink-0 items-center gap-1.5 rounded-chip border px-2.5 max-sm:h-[30px] max-sm:rounded-[15px] ${chosen === null ? 'border-line2 text-t2 hover:bg-hover' : 'border-accent bg-sel text-t1'}`}
          trigger={
            <>
              {chosen === null ? 'One container' : <ContainerNumber number={chosen} />}
              <Icon name="down" size={12} />
            </>
          }
        >
          <MenuChoices
            value={chosen}
            choose={choose}
            choices={containers.map(({ number, status }) => ({
              value: number,
              label: number,
              name: (
                <>
                  <StatusGlyph status={status} />
                  <ContainerNumber number={number} />
                </>
              ),
            }))}
          />
        </PopupMenu>
      )}
    </>
  );
}

function ContainerNumber({ number }: { number: string }) {
  return <span className="font-mono text-number">{groupIdentifier('container', number)}</span>;
}
