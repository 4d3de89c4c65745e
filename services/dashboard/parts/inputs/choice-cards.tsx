import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { useId } from 'react';

type Props<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly { value: Value; name: string; explains: string }[];
  choose: (value: Value) => void;
};

/** Choices of which exactly one is set, each with a sentence. */
export function ChoiceCards<Value extends string>({ label, value, choices, choose }: Props<Value>) {
  const id = useId();
  return (
    <div>
      <p id={id} className="mb-1 text-label text-t2">
        {label}
      </p>
      <RadioGroup
        aria-labelledby={id}
        value={value}
        onValueChange={(chosen) => choose(chosen as Value)}
        className={`grid gap-2 max-sm:grid-cols-1 ${choices.length === 3 ? 'grid-cols-3' : 'grid-cols-2'}`}
      >
        {choices.map((choice) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: the radio inside is the control
          <label
            key={choice.value}
            className="flex cursor-pointer gap-2 rounded-control border border-line2 p-2.5 hover:bg-hover has-[[data-checked]]:border-accent has-[[data-checked]]:bg-sel"
          >
            <Radio.Root
              value={choice.value}
              className="mt-[3px] grid size-3.5 shrink-0 place-items-center rounded-full border border-t3 bg-bg data-[checked]:border-accent"
            >
              <Radio.Indicator className="size-2 rounded-full bg-accent" />
            </Radio.Root>
            <span>
              <span className="block font-medium">{choice.name}</span>
              <span className="block text-label text-t3">{choice.explains}</span>
            </span>
          </label>
        ))}
      </RadioGroup>
    </div>
  );
}
