/** Also the full-width signs, which spreadsheets of East Asian systems read like the others. */
const starts = '=+\\-@\\t\\r\uff1d\uff0b\uff0d\uff20';
/** A cell begins at the start and after what a spreadsheet may take for a separator, whatever the file's own is. */
const cellStart = '(?<=^|[,;\\t\\r\\n])([ "]*)';
const unguarded = new RegExp(`${cellStart}(?='*[${starts}])`, 'g');
const guarded = new RegExp(`${cellStart}'(?='*[${starts}])`, 'g');

/**
 * Puts an apostrophe before everything that a spreadsheet could run as a formula (OWASP, CSV injection), because
 * references and names are untrusted; also before such an apostrophe, so that `withoutGuards` can remove one.
 */
export function guardFormulas(text: string): string {
  return text.replace(unguarded, "$1'");
}

/** The text before `guardFormulas`. */
export function withoutGuards(text: string): string {
  return text.replace(guarded, '$1');
}
