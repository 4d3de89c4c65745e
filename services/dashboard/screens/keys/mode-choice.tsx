import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { useId } from 'react';

const modes = [
  { value: 'live', name: 'Live', says: 'Real shipments, real carriers.' },
  {
    value: 'test',
    name: 'Test',
    says: 'Sees and makes test shipments only. They are played and never reach a carrier.',
  },
] as const;

export function ModeChoice({ test, onTest }: { test: boolean; onTest: (test: boolean) => void }) {
  const id = useId();
  return (
    <div>
      <p id={id} className="mb-1 text-label text-t2">
        Mode
      </p>
      <RadioGroup
        aria-labelledby={id}
        value={test ? 'test' : 'live'}
        onValueChange={(mode) => onTest(mode === 'test')}
        className="grid grid-cols-2 gap-2 max-sm:grid-cols-1"
      >
        {modes.map(({ value, name, says }) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: the radio inside is the control
          <label
            key={value}
            className="flex cursor-pointer gap-2 rounded-control border border-line2 p-2.5 hover:bg-hover has-[[data-checked]]:border-accent has-[[data-checked]]:bg-sel"
          >
            <Radio.Root
              value={value}
              className="mt-[3px] grid size-3.5 shrink-0 place-items-center rounded-full border border-t3 bg-bg data-[checked]:border-accent"
            >
              <Radio.Indicator className="size-2 rounded-full bg-accent" />
            </Radio.Root>
            <span>
              <span className="block font-medium">{name}</span>
              <span className="block text-label text-t3">{says}</span>
            </span>
          </label>
        ))}
      </RadioGroup>
    </div>
  );
}
