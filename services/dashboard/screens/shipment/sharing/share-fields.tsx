import { type SharePart, shareParts } from '#shared/domain/shares/share.ts';
import { CheckboxLine } from '../../../parts/inputs/checkbox.tsx';
import { NativeSelect } from '../../../parts/inputs/select.tsx';
import { expiryChoices, expiryName, partNames } from './share-words.ts';

export type ShareChoice = { shows: readonly SharePart[]; expiresAfterDays: number };

type Props = { choice: ShareChoice; disabled?: boolean; onChange: (choice: ShareChoice) => void };

/** Fields for the optional parts of a page and the lifetime of its link. */
export function ShareFields({ choice, disabled = false, onChange }: Props) {
  const { shows, expiresAfterDays } = choice;
  const days = [...new Set([...expiryChoices, expiresAfterDays])].sort((one, other) => one - other);
  return (
    <>
      <fieldset className="flex flex-col gap-2" disabled={disabled}>
        <legend className="mb-1 text-label text-t2">Also show</legend>
        {shareParts.map((part) => (
          <CheckboxLine
            key={part}
            checked={shows.includes(part)}
            disabled={disabled}
            hint={partNames[part].hint}
            onChecked={(isShown) =>
              onChange({ ...choice, shows: shareParts.filter((one) => (one === part ? isShown : shows.includes(one))) })
            }
          >
            {partNames[part].name}
          </CheckboxLine>
        ))}
      </fieldset>
      <NativeSelect
        label="Link expires"
        value={expiresAfterDays}
        disabled={disabled}
        onChange={(event) => onChange({ ...choice, expiresAfterDays: Number(event.target.value) })}
      >
        {days.map((one) => (
          <option key={one} value={one}>
            {expiryName(one)}
          </option>
        ))}
      </NativeSelect>
    </>
  );
}
