import { Chip } from '../../../parts/chip.tsx';
import { type Units, unitWords } from './event-unit.ts';
import { UnitPicker } from './unit-picker.tsx';

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
        <UnitPicker kind={kind} units={all} chosen={chosen} choose={choose} />
      )}
    </>
  );
}
