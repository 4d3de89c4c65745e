import { type KeyboardEvent, type ReactNode, type RefObject, useId } from 'react';

type Props = {
  ref: RefObject<HTMLElement | null>;
  label: string;
  /** The keys of the map, in a sentence for screen readers. */
  keys: string;
  onKeyDown: (event: KeyboardEvent) => void;
  children: ReactNode;
};

/** The surface of a map that is dragged, zoomed and moved by keys. */
export function MapSurface({ ref, label, keys, onKeyDown, children }: Props) {
  const id = useId();
  return (
    <section
      ref={ref}
      aria-label={label}
      aria-describedby={id}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it has keys of its own
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="absolute inset-0 cursor-grab select-none overflow-clip -outline-offset-2 active:cursor-grabbing"
    >
      <p id={id} className="sr-only">
        {keys}
      </p>
      {children}
    </section>
  );
}
