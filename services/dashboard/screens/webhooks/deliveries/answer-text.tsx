/** The start of a response, as text: it is never rendered as anything else. */
export function AnswerText({ answer }: { answer: string | null }) {
  if (answer === null || answer === '') return null;
  return (
    <figure
      aria-label="Response"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className="mt-2 max-h-48 overflow-auto rounded-control border border-line bg-sunk px-3 py-2"
    >
      <pre className="whitespace-pre-wrap break-words font-mono text-number">{answer}</pre>
    </figure>
  );
}
