import { changeTypes } from '#shared/domain/feed/change-types.ts';
import { CheckboxLine } from '../../../parts/inputs/checkbox.tsx';
import { everyType, typeWords } from '../webhook-words.ts';

type Props = { types: readonly string[]; choose: (types: readonly string[]) => void };

/** Chooses the delivered changes: all, including those of later releases, or some. */
export function TypesChoice({ types, choose }: Props) {
  const isAll = types.includes(everyType);
  const toggle = (type: string, isChosen: boolean) =>
    choose(changeTypes.filter((one) => (one === type ? isChosen : types.includes(one))));
  return (
    <fieldset>
      <legend className="mb-1.5 text-label text-t2">Changes</legend>
      <CheckboxLine
        checked={isAll}
        onChecked={(all) => choose(all ? [everyType] : ['shipment.status_changed', 'shipment.eta_changed'])}
        hint="Also those that later versions add."
      >
        All types
      </CheckboxLine>
      {!isAll && (
        <div className="mt-2.5 grid grid-cols-2 gap-x-4 gap-y-2.5 border-line border-t pt-2.5 max-sm:grid-cols-1">
          {changeTypes.map((type) => (
            <CheckboxLine
              key={type}
              checked={types.includes(type)}
              hint={<code className="font-mono text-number">{type}</code>}
              onChecked={(isChosen) => toggle(type, isChosen)}
            >
              {typeWords(type)}
            </CheckboxLine>
          ))}
        </div>
      )}
      {types.length === 0 && (
        <p role="alert" className="mt-2 text-label text-red">
          Choose at least one type.
        </p>
      )}
    </fieldset>
  );
}
