import { useId } from 'react';

type Props = { text: string; setText: (text: string) => void; submit: () => void; locked: boolean };

/** A text box for any amount of numbers. Ctrl+Enter registers. */
export function NumbersBox({ text, setText, submit, locked }: Props) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-label text-t2">
        Numbers
      </label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the box is the purpose of the page, and nothing before it is skipped
        autoFocus
        rows={12}
        readOnly={locked}
        spellCheck={false}
        autoCapitalize="characters"
        autoComplete="off"
        aria-describedby={`${id}-hint`}
        placeholder={'Paste numbers: one per line, a spreadsheet column, or an email'}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          submit();
        }}
        className="w-full resize-y rounded-control border border-line2 bg-bg px-2.5 py-2 font-mono text-label leading-5 placeholder:font-sans placeholder:text-t3 max-sm:max-h-48 max-sm:text-[16px]"
      />
      <p id={`${id}-hint`} className="text-label text-t3">
        Bills of lading, bookings, containers, air waybills, PRO and tracking numbers.{' '}
        <span className="max-sm:hidden">Press Ctrl+Enter to register.</span>
      </p>
    </div>
  );
}
