import { type FormEvent, useState } from 'react';
import { ProblemError } from '../../../api/problem-error.ts';
import { Button } from '../../../parts/button.tsx';
import { TextField } from '../../../parts/inputs/text-field.tsx';

type Props = {
  label: string;
  day: string | null;
  saving: { isPending: boolean; error: Error | null };
  save: (day: string) => void;
  close: () => void;
};

/** A day that overrides every other source, until it is removed. */
export function FreeDayForm({ label, day, saving, save, close }: Props) {
  const [chosen, setChosen] = useState(day ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen !== '') save(chosen);
  };
  return (
    <form onSubmit={submit} className="mt-1.5 flex flex-col gap-2">
      <TextField
        label={label}
        type="date"
        required
        autoFocus
        value={chosen}
        hint="A day at the terminal. It overrides every other source until you remove it."
        error={mistakeOf(saving.error)}
        onChange={({ target }) => setChosen(target.value)}
      />
      <div className="flex gap-2">
        <Button kind="primary" type="submit" busy={saving.isPending} disabled={chosen === '' || chosen === day}>
          {saving.isPending ? 'Saving' : 'Save'}
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}

function mistakeOf(error: Error | null): string | null {
  if (error === null) return null;
  const details = error instanceof ProblemError ? error.errors.map(({ detail }) => detail) : [];
  return details.length > 0 ? details.join(' ') : error.message;
}
