/** A point to label. Higher weights are placed first. */
export type Anchor = { id: string; x: number; y: number; title: string; detail: string; weight: number };
export type Label = Anchor & { textX: number; titleY: number; detailY: number; align: 'start' | 'middle' | 'end' };
type Box = { x0: number; y0: number; x1: number; y1: number };

const titleWidth = 6.7;
const detailWidth = 5.7;
const gap = 10;
const lineHeight = 14;
/** CJK letters are twice as wide as Latin ones. */
const wide = /[ᄀ-ᇿ⺀-鿿가-힯＀-￯]/g;

/**
 * Places a label beside each point so that it overlaps no other label, dot or edge and covers as little of the route as
 * possible. A label without room is tried without its detail, then left out.
 */
export function placeLabels(
  anchors: readonly Anchor[],
  route: readonly { x: number; y: number }[],
  size: { width: number; height: number },
): Label[] {
  const taken: Box[] = anchors.map(({ x, y }) => ({ x0: x - 7, y0: y - 7, x1: x + 7, y1: y + 7 }));
  const placed: Label[] = [];
  for (const anchor of [...anchors].sort((left, right) => right.weight - left.weight)) {
    const label =
      bestLabel(anchor, { taken, route, size }) ?? bestLabel({ ...anchor, detail: '' }, { taken, route, size });
    if (label === null) continue;
    taken.push(boxOf(label));
    placed.push(label);
  }
  return placed;
}

type Room = {
  taken: readonly Box[];
  route: readonly { x: number; y: number }[];
  size: { width: number; height: number };
};

function bestLabel(anchor: Anchor, { taken, route, size }: Room): Label | null {
  let best: { label: Label; cost: number } | null = null;
  for (const [order, label] of candidates(anchor).entries()) {
    const box = boxOf(label);
    if (box.x0 < 6 || box.y0 < 4 || box.x1 > size.width - 6 || box.y1 > size.height - 4) continue;
    // Its own dot is next to it by construction.
    if (taken.some((other) => !isAround(other, anchor) && overlaps(box, other))) continue;
    const cost = order + 4 * route.filter((point) => contains(box, point)).length;
    if (best === null || cost < best.cost) best = { label, cost };
  }
  return best?.label ?? null;
}

function candidates(anchor: Anchor): Label[] {
  const { x, y } = anchor;
  const rows = anchor.detail === '' ? 1 : 2;
  const beside = y + (rows === 2 ? -2 : 4);
  const above = y - gap - (rows - 1) * lineHeight;
  const below = y + gap + 9;
  const at = (textX: number, titleY: number, align: Label['align']): Label => ({
    ...anchor,
    textX,
    titleY,
    detailY: titleY + lineHeight,
    align,
  });
  return [
    at(x + gap, beside, 'start'),
    at(x - gap, beside, 'end'),
    at(x, above, 'middle'),
    at(x, below, 'middle'),
    at(x - 4, above, 'end'),
    at(x + 4, above, 'start'),
    at(x - 4, below, 'end'),
    at(x + 4, below, 'start'),
  ];
}

export function boxOf(label: Label): Box {
  const width = Math.max(textWidth(label.title, titleWidth), textWidth(label.detail, detailWidth));
  const x0 =
    label.align === 'start' ? label.textX : label.align === 'end' ? label.textX - width : label.textX - width / 2;
  return {
    x0: x0 - 3,
    y0: label.titleY - 12,
    x1: x0 + width + 3,
    y1: (label.detail === '' ? label.titleY : label.detailY) + 4,
  };
}

function textWidth(text: string, letter: number): number {
  return (text.length + (text.match(wide)?.length ?? 0)) * letter;
}

function overlaps(left: Box, right: Box): boolean {
  return left.x0 < right.x1 && right.x0 < left.x1 && left.y0 < right.y1 && right.y0 < left.y1;
}

function contains(box: Box, { x, y }: { x: number; y: number }): boolean {
  return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
}

function isAround({ x0, y0, x1, y1 }: Box, { x, y }: Anchor): boolean {
  return (x0 + x1) / 2 === x && (y0 + y1) / 2 === y && x1 - x0 === 14;
}
