import { Menu } from '@base-ui/react/menu';
import type { WireContainer } from '../../../api/wire.ts';
import { Chip } from '../../../parts/chip.tsx';
import { groupIdentifier } from '../../../parts/group-identifier.ts';
import { Icon } from '../../../parts/icon.tsx';
import { StatusGlyph } from '../../../parts/marks.tsx';
import { menuClasses, menuItemClasses } from '../../../parts/menu.ts';

const mostChips = 3;

type Props = {
  containers: readonly WireContainer[];
  chosen: string | null;
  choose: (container: string | null) => void;
};

/** A chip for each of few containers; of many, one for all and a menu. */
export function ContainerChips({ containers, chosen, choose }: Props) {
  if (containers.length < 2) return null;
  const all = (
    <Chip active={chosen === null} onClick={() => choose(null)}>
      {containers.length === 2 ? 'Both containers' : `All ${containers.length} containers`}
    </Chip>
  );
  if (containers.length <= mostChips) {
    return (
      <>
        {all}
        {containers.map(({ number }) => (
          <Chip
            key={number}
            active={chosen === number}
            onClick={() => choose(chosen === number ? null : number)}
            className="font-mono text-number"
          >
            {groupIdentifier('container', number)}
          </Chip>
        ))}
      </>
    );
  }
  return (
    <>
      {all}
      <Menu.Root>
        <Menu.Trigger
          className={`inline-flex h-[26px] shrink-0 items-center gap-1.5 rounded-chip border px-2.5 max-sm:h-[30px] max-sm:rounded-[15px] ${chosen === null ? 'border-line2 text-t2 hover:bg-hover' : 'border-accent bg-sel text-t1'}`}
        >
          {chosen === null ? (
            'One container'
          ) : (
            <span className="font-mono text-number">{groupIdentifier('container', chosen)}</span>
          )}
          <Icon name="down" size={12} />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner align="end" sideOffset={4} className="z-30">
            <Menu.Popup className={`${menuClasses} max-h-[min(420px,60vh)] overflow-y-auto`}>
              <Menu.RadioGroup value={chosen ?? ''} onValueChange={(number: string) => choose(number)}>
                {containers.map(({ number, status }) => (
                  <Menu.RadioItem key={number} value={number} label={number} className={menuItemClasses}>
                    <StatusGlyph status={status} />
                    <span className="font-mono text-number">{groupIdentifier('container', number)}</span>
                    <Menu.RadioItemIndicator className="ml-auto text-accent">●</Menu.RadioItemIndicator>
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </>
  );
}
