/** A vessel's name as it is compared: without outer spaces, ASCII letters in lower case. */
export function vesselKey(name: string): string {
  return name.replace(/^ +| +$/g, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Returns the meaning of a vessel in a filter: its name, or the digits of its IMO number (`IMO 9321483`). */
export function soughtVessel(text: string): string {
  return /^(?:imo\s*)?(\d{7})$/i.exec(text.trim())?.[1] ?? vesselKey(text);
}
