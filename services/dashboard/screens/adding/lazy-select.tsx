import { type ReactNode, useState } from 'react';
import { InlineSelect } from '../../parts/inline-select.tsx';

type Props = {
  label: string;
  value: string;
  /** What the value reads as while nobody has come near. */
  shown: string;
  wrong?: boolean;
  disabled?: boolean;
  className?: string;
  /** Its choices are there from the beginning: they are few, or somebody has to choose. */
  eager?: boolean;
  onChoose: (value: string) => void;
  /** The choices, made when they are needed: hundreds of menus stand on one page. */
  options: () => ReactNode;
};

/** A menu that may have its choices from the first touch on only. */
export function LazySelect({ value, shown, eager = false, onChoose, options, ...rest }: Props) {
  const [isNear, setNear] = useState(false);
  return (
    <InlineSelect
      quiet
      value={value}
      onPointerEnter={() => setNear(true)}
      onPointerDown={() => setNear(true)}
      onFocus={() => setNear(true)}
      onChange={(event) => onChoose(event.target.value)}
      {...rest}
    >
      {isNear || eager ? options() : <option value={value}>{shown}</option>}
    </InlineSelect>
  );
}
