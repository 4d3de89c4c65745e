import { Icon, type IconName } from '../../parts/icon.tsx';

const modes: readonly string[] = ['ocean', 'air', 'road', 'rail', 'parcel'];

type Props = { mode: string; isSelected: boolean; select: (isRange: boolean) => void; label: string };

/** How it travels; a checkbox for who points at it, and for who has selected something. */
export function RowCheckbox({ mode, isSelected, select, label }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: an input takes no shift-click, which selects a range.
    <span
      role="checkbox"
      tabIndex={-1}
      aria-checked={isSelected}
      aria-label={label}
      onClick={(event) => {
        event.stopPropagation();
        select(event.shiftKey);
      }}
      onKeyDown={(event) => {
        if (event.key !== ' ') return;
        event.preventDefault();
        event.stopPropagation();
        select(event.shiftKey);
      }}
      className="group/box -my-1 -ml-2 grid size-8 shrink-0 cursor-pointer place-items-center"
    >
      <span
        className={`text-t2 ${isSelected ? 'hidden' : 'group-hover/row:hidden group-focus-visible/box:hidden group-data-[selecting=true]/list:hidden max-sm:group-hover/row:block'}`}
      >
        <Icon name={modes.includes(mode) ? (mode as IconName) : 'shipments'} size={14} />
      </span>
      <span
        className={`size-3.5 place-items-center rounded-[3px] border ${
          isSelected
            ? 'grid border-accent bg-accent text-on-accent'
            : 'hidden border-t3 group-hover/row:grid group-focus-visible/box:grid group-data-[selecting=true]/list:grid max-sm:group-hover/row:hidden'
        }`}
      >
        {isSelected && <Icon name="check" size={10} />}
      </span>
    </span>
  );
}
