import { groupIdentifier } from '#shared/domain/words/group-identifier.ts';

/** A number in groups, never truncated. Copying yields the stored value without spaces. */
export function Identifier({
  kind,
  value,
  className = 'text-number',
}: {
  kind: string;
  value: string;
  className?: string;
}) {
  return (
    <span
      className={`whitespace-nowrap font-mono font-medium tracking-[-0.025em] ${className}`}
      onCopy={(event) => {
        const selected = window.getSelection()?.toString() ?? '';
        if (selected.replaceAll(' ', '') !== value.replaceAll(' ', '')) return;
        event.preventDefault();
        event.clipboardData.setData('text/plain', value);
      }}
    >
      {groupIdentifier(kind, value)}
    </span>
  );
}
