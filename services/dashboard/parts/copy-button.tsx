import { useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

const shownMs = 1500;

type Props = {
  text: string;
  label?: string;
  iconOnly?: boolean;
  kind?: 'plain' | 'quiet' | 'strong';
  /** Name of the copied text, for screen readers. */
  name?: string;
};

/** Copies a text and briefly shows the result. */
export function CopyButton({ text, label = 'Copy', iconOnly = false, kind = 'plain', name }: Props) {
  const [result, setResult] = useState<'' | 'Copied' | 'Copy failed'>('');
  const copy = async () => {
    // The clipboard is undefined on pages over plain HTTP.
    const done = await Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
      () => true,
      () => false,
    );
    setResult(done ? 'Copied' : 'Copy failed');
    setTimeout(() => setResult(''), shownMs);
  };
  if (iconOnly)
    return <IconButton icon={result === 'Copied' ? 'check' : 'copy'} label={result || label} onClick={copy} />;
  return (
    <Button kind={kind} onClick={copy}>
      <Icon name={result === 'Copied' ? 'check' : 'copy'} size={14} />
      <span aria-live="polite">{result || label}</span>
      {name !== undefined && <span className="sr-only">: {name}</span>}
    </Button>
  );
}
