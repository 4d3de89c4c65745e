import { groupIdentifier } from './group-identifier.ts';

/** A number in the mono face, grouped; copied as it is stored, without the spaces. Never truncated. */
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
