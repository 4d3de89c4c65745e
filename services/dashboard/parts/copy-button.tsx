import { useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

const shownMs = 1500;

type Props = {
  text: string;
  label?: string;
  iconOnly?: boolean;
  kind?: 'plain' | 'quiet' | 'strong';
  /** What is copied, for who does not see what stands beside the button. */
  name?: string;
};

/** Copies a text, and says so for a moment; says too when the browser does not allow it. */
export function CopyButton({ text, label = 'Copy', iconOnly = false, kind = 'plain', name }: Props) {
  const [told, setTold] = useState<'' | 'Copied' | 'Not allowed'>('');
  const copy = async () => {
    // Undefined over plain http from another machine.
    const done = await Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
      () => true,
      () => false,
    );
    setTold(done ? 'Copied' : 'Not allowed');
    setTimeout(() => setTold(''), shownMs);
  };
  if (iconOnly) return <IconButton icon={told === 'Copied' ? 'check' : 'copy'} label={told || label} onClick={copy} />;
  return (
    <Button kind={kind} onClick={copy}>
      <Icon name={told === 'Copied' ? 'check' : 'copy'} size={14} />
      <span aria-live="polite">{told || label}</span>
      {name !== undefined && <span className="sr-only">: {name}</span>}
    </Button>
  );
}
