import { type ReactNode, useState } from 'react';
import { InlineSelect } from '../parts/inline-select.tsx';

type Props = {
  label: string;
  value: string;
  /** What the value reads as while nobody has come near. */
  shown: string;
  wrong?: boolean;
  disabled?: boolean;
  className?: string;
  onChoose: (value: string) => void;
  /** The choices, made when they are needed: hundreds of menus stand on one page. */
  options: () => ReactNode;
};

/** A menu that has its choices from the first touch on. */
export function LazySelect({ value, shown, onChoose, options, ...rest }: Props) {
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
      {isNear ? options() : <option value={value}>{shown}</option>}
    </InlineSelect>
  );
}
