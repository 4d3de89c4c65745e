/** The open triangle with its mark, in front of the words it belongs to. */
export function WarningMark({ severity, size = 14 }: { severity: string; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 14 14"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 ${severity === 'critical' ? 'text-red' : 'text-amber'}`}
    >
      <path d="M7 1.800 12.800 12H1.200zM7 5.500v3M7 10.200v.1" />
    </svg>
  );
}
