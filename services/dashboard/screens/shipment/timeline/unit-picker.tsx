import { Combobox } from '@base-ui/react/combobox';
import { type ReactNode, useMemo, useState } from 'react';
import { Icon } from '../../../parts/icon.tsx';
import { MenuChoices, PopupMenu } from '../../../parts/inputs/menu.tsx';
import { SearchMenuPopup } from '../../../parts/inputs/search-menu.tsx';
import { StatusGlyph } from '../../../parts/status-icons.tsx';
import { isNumberPart, maxUnsearched, type Unit, type UnitKind, unitWords } from './event-unit.ts';

type Props = {
  kind: UnitKind;
  /** `status` is null where it does not matter. */
  units: readonly (Pick<Unit, 'number'> & { status: string | null })[];
  chosen: string | null;
  choose: (number: string) => void;
};

/** A button that opens the containers or pieces to choose from, with a search where they are many. */
export function UnitPicker(props: Props) {
  const { kind, units, chosen, choose } = props;
  const trigger = (
    <>
      {chosen === null ? `One ${kind}` : <UnitNumber kind={kind} number={chosen} />}
      <Icon name="down" size={12} />
    </>
  );
  const className = `inline-flex h-[26px] shrink-0 items-center gap-1.5 rounded-chip border px-2.5 max-sm:h-[30px] max-sm:rounded-[15px] ${chosen === null ? 'border-line2 text-t2 hover:bg-hover' : 'border-accent bg-sel text-t1'}`;
  if (units.length > maxUnsearched) return <SearchedPicker {...props} trigger={trigger} className={className} />;
  return (
    <PopupMenu className={className} trigger={trigger}>
      <MenuChoices
        value={chosen}
        choose={choose}
        choices={units.map(({ number, status }) => ({
          value: number,
          label: number,
          name: <Choice kind={kind} number={number} status={status} />,
        }))}
      />
    </PopupMenu>
  );
}

type SearchedProps = Props & { trigger: ReactNode; className: string };

function SearchedPicker({ kind, units, chosen, choose, trigger, className }: SearchedProps) {
  const [typed, setTyped] = useState('');
  const numbers = useMemo(() => units.map(({ number }) => number), [units]);
  const statuses = useMemo(() => new Map(units.map(({ number, status }) => [number, status])), [units]);
  return (
    <Combobox.Root
      items={numbers}
      value={chosen}
      onValueChange={(number) => {
        if (number !== null) choose(number);
      }}
      inputValue={typed}
      onInputValueChange={setTyped}
      filter={(number: string) => isNumberPart(typed, number)}
      onOpenChange={() => setTyped('')}
      autoHighlight
    >
      <Combobox.Trigger
        aria-label={chosen === null ? `One ${kind}` : `One ${kind}, ${unitWords(kind, chosen)}`}
        className={className}
      >
        {trigger}
      </Combobox.Trigger>
      <SearchMenuPopup
        title={`Find a ${kind}`}
        placeholder={`Find one of ${units.length} ${kind}s`}
        empty={`No ${kind} has this number`}
        choice={(number) => <Choice kind={kind} number={number} status={statuses.get(number) ?? null} />}
      />
    </Combobox.Root>
  );
}

function Choice({ kind, number, status }: { kind: UnitKind; number: string; status: string | null }) {
  return (
    <>
      {status !== null && <StatusGlyph status={status} />}
      <UnitNumber kind={kind} number={number} />
    </>
  );
}

function UnitNumber({ kind, number }: { kind: UnitKind; number: string }) {
  return <span className="font-mono text-number">{unitWords(kind, number)}</span>;
}
