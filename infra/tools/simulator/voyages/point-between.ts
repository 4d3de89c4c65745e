export type GeoPoint = { latitude: number; longitude: number };

const radians = Math.PI / 180;

/** Latitude and longitude at this share of the great circle, to four decimals. */
export function pointBetween(from: GeoPoint, to: GeoPoint, share: number): [number, number] {
  const [start, end] = [vectorOf(from), vectorOf(to)];
  const angle = Math.acos(
    Math.min(
      1,
      Math.max(
        -1,
        start.reduce((sum, value, axis) => sum + value * (end[axis] ?? 0), 0),
      ),
    ),
  );
  if (angle < 1e-9) return [rounded(from.latitude), rounded(from.longitude)];
  const weights = [Math.sin((1 - share) * angle), Math.sin(share * angle)] as const;
  const [x = 0, y = 0, z = 0] = start.map((value, axis) => weights[0] * value + weights[1] * (end[axis] ?? 0));
  return [rounded(Math.atan2(z, Math.hypot(x, y)) / radians), rounded(Math.atan2(y, x) / radians)];
}

function vectorOf({ latitude, longitude }: GeoPoint): number[] {
  const [phi, lambda] = [latitude * radians, longitude * radians];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

function rounded(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000;
}
