import { type IconName, iconPaths } from './icon-paths.ts';

export type { IconName };

/** An ornament: what it stands for is said in words beside it, or in the label of the control around it. */
export function Icon({ name, size = 18, className }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth={(1.35 * 18) / size}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className === undefined ? 'shrink-0' : `shrink-0 ${className}`}
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
