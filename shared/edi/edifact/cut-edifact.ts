import { maxElements, maxSegmentLength, type Segment } from '../segment.ts';
import { afterBlanks } from '../x12/cut-x12.ts';

/** The separators of ISO 9735 syntax level A, which a UNA segment replaces. */
const usual = { component: ':', element: '+', release: '?', terminator: "'" };

type Separators = typeof usual;

/**
 * Cuts EDIFACT text into segments. A UNA segment states the separators of the interchange that follows it; it is no
 * segment of its own here. Line breaks between segments are ignored.
 */
export function* cutEdifact(text: string): Generator<Segment> {
  let offset = afterBlanks(text, text.startsWith('\uFEFF') ? 1 : 0);
  let separators: Separators = usual;
  let position = 0;
  while (offset < text.length) {
    if (text.startsWith('UNA', offset) && text.length >= offset + 9) {
      separators = statedBy(text.slice(offset + 3, offset + 9));
      offset = afterBlanks(text, offset + 9);
      continue;
    }
    position += 1;
    const end = endOfSegment(text, offset, separators);
    const to = end ?? text.trimEnd().length;
    const flaw = to - offset > maxSegmentLength ? 'too_long' : end === null ? 'cut_off' : null;
    if (to > offset) {
      const [first, ...elements] = split(text.slice(offset, Math.min(to, offset + maxSegmentLength)), separators);
      yield { tag: first?.[0]?.trim() ?? '', elements, position, from: offset, to, flaw };
    } else position -= 1;
    offset = afterBlanks(text, end === null ? text.length : end + 1, separators.terminator);
  }
}

function statedBy(written: string): Separators {
  const [component = '', element = '', , release = '', , terminator = ''] = written;
  return { component, element, release: release === ' ' ? '' : release, terminator };
}

/** Where the segment's terminator is: one that is not released. Null: there is none. */
function endOfSegment(text: string, from: number, { release, terminator }: Separators): number | null {
  for (let end = text.indexOf(terminator, from); end >= 0; end = text.indexOf(terminator, end + 1)) {
    let releases = 0;
    while (release !== '' && end - releases > from && text.charAt(end - releases - 1) === release) releases += 1;
    if (releases % 2 === 0) return end;
  }
  return null;
}

function split(segment: string, { component, element, release }: Separators): string[][] {
  const hasRelease = release !== '' && segment.includes(release);
  if (!hasRelease) return segment.split(element, maxElements).map((each) => each.split(component, maxElements));
  const elements: string[][] = [];
  let components: string[] = [];
  let written = '';
  for (let place = 0; place < segment.length && elements.length < maxElements; place++) {
    const character = segment.charAt(place);
    if (character === release) {
      place += 1;
      written += segment.charAt(place);
    } else if (character === element || character === component) {
      components.push(written);
      written = '';
      if (character === element) {
        elements.push(components);
        components = [];
      }
    } else written += character;
  }
  components.push(written);
  elements.push(components);
  return elements;
}
