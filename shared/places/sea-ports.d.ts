declare module 'sea-ports' {
  /** `coordinates` are [longitude, latitude]. */
  const seaPorts: {
    JSON: Record<string, { name: string; coordinates?: [number, number]; timezone?: string; unlocs: string[] }>;
  };
  export = seaPorts;
}
