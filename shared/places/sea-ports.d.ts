declare module 'sea-ports' {
  /** `coordinates` are [longitude, latitude]. `code` is that of Schedule D (four digits) or K (five). */
  const seaPorts: {
    JSON: Record<
      string,
      { name: string; coordinates?: [number, number]; timezone?: string; unlocs: string[]; code?: string }
    >;
  };
  export = seaPorts;
}
