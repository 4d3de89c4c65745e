import { Autocomplete } from '@base-ui/react/autocomplete';
import { type ReactNode, useId } from 'react';
import { menuItemClasses } from '../../../parts/inputs/menu.tsx';

export type CodeOption = { code: string; name: string };

type Props = {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** Suggestions; any other text may be typed. */
  options: readonly CodeOption[];
  placeholder?: string;
  hint?: ReactNode;
  error?: string | null;
  maxLength?: number;
  disabled?: boolean;
};

const maxSuggestions = 50;

/** A labelled input for a code, with suggestions by code or name. The name of a known code stands below it. */
export function CodeField({ label, value, onValue, options, hint, error, ...rest }: Props) {
  const id = useId();
  const known = options.find(({ code }) => code === value.trim().toUpperCase());
  const text = error ?? known?.name ?? hint;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-label text-t2">
        {label}
      </label>
      <Autocomplete.Root
        items={options}
        value={value}
        onValueChange={onValue}
        itemToStringValue={({ code }: CodeOption) => code}
        filter={({ code, name }: CodeOption, query) => `${code} ${name}`.toLowerCase().includes(query.toLowerCase())}
        limit={maxSuggestions}
        openOnInputClick
      >
        <Autocomplete.Input
          id={id}
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={text ? `${id}-text` : undefined}
          className={`h-8 w-full rounded-control border bg-bg px-2.5 font-mono text-number placeholder:font-sans placeholder:text-body placeholder:text-t3 disabled:text-t3 ${error ? 'border-red' : 'border-line2'}`}
          {...rest}
        />
        <Autocomplete.Portal>
          <Autocomplete.Positioner align="start" sideOffset={4} className="z-50">
            <Autocomplete.Popup className="max-h-72 w-(--anchor-width) min-w-56 overflow-y-auto rounded-control border border-line2 bg-bg py-1 text-body outline-none empty:hidden data-[empty]:hidden">
              <Autocomplete.List aria-label={label}>
                {(option: CodeOption) => (
                  <Autocomplete.Item key={option.code} value={option} className={menuItemClasses}>
                    <span className="min-w-0 flex-1 truncate">{option.name}</span>
                    <span className="font-mono text-number text-t3">{option.code}</span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
      {text && (
        <p
          id={`${id}-text`}
          role={error ? 'alert' : undefined}
          className={`text-label ${error ? 'text-red' : 'text-t3'}`}
        >
          {text}
        </p>
      )}
    </div>
  );
}
