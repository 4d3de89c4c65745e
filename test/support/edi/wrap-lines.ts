/** A file as a transport with lines of this width delivers it: a line break after every so many characters. */
export function wrapLines(text: string, width: number, lineBreak = '\r\n'): string {
  const bare = text.replace(/[\r\n]/g, '');
  const lines: string[] = [];
  for (let start = 0; start < bare.length; start += width) lines.push(bare.slice(start, start + width));
  return lines.join(lineBreak);
}
