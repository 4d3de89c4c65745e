/** Of a graphic that must be seen: success criterion 1.4.11 of WCAG 2.2. */
const minContrast = 3;
const steps = 20;

/** The color, mixed with as little white or black as it needs to be seen on the background. Both as `#rrggbb`. */
export function visibleOn(background: string, color: string): string {
  const end = luminanceOf(background) > 0.18 ? 0 : 255;
  for (let step = 0; step < steps; step += 1) {
    const mixed = mix(color, end, step / steps);
    if (contrast(mixed, background) >= minContrast) return mixed;
  }
  return mix(color, end, 1);
}

/** From 1 to 21, as WCAG defines it. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(color: string, end: number, share: number): string {
  const mixed = channelsOf(color).map((channel) => Math.round(channel + (end - channel) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((from) => Number.parseInt(color.slice(from, from + 2), 16));
}
