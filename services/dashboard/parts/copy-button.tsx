import { useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';

const shownMs = 1500;

/** Copies a text, and says so for a moment; says too when the browser does not allow it. */
export function CopyButton({ text, label = 'Copy', iconOnly = false }: { text: string; label?: string; iconOnly?: boolean }) {
  const [told, setTold] = useState<'' | 'Copied' | 'Not allowed'>('');
  const copy = async () => {
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setTold(done ? 'Copied' : 'Not allowed');
    setTimeout(() => setTold(''), shownMs);
  };
  if (iconOnly) return <IconButton icon={told === 'Copied' ? 'check' : 'copy'} label={told || label} onClick={copy} />;
  return (
    <Button onClick={copy}>
      <Icon name={told === 'Copied' ? 'check' : 'copy'} size={14} />
      <span aria-live="polite">{told || label}</span>
    </Button>
  );
}
