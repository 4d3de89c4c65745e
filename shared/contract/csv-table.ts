/** A CSV body. `line` counts the lines of the file from 1; `problem` says why a row can't be read. */
export type CsvTable = {
  names: readonly string[];
  rows: readonly { line: number; cells: readonly string[]; problem: string | null }[];
};
