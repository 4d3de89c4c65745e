import os from 'node:os';
import process from 'node:process';
import { type Goal, type Measurement, meetsGoal, type Result } from './row.ts';

/** The machine that the numbers were measured on. */
export type Machine = {
  cpu: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  postgres: string;
  loadAtStart: number;
};

export type Report = {
  at: string;
  rounds: number;
  secondsPerSide: number;
  machine: Machine;
  rows: Record<string, Result[]>;
};

export function describeMachine(postgresVersion: string): Machine {
  return {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 1e9),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.versions.node,
    postgres: postgresVersion,
    // More than a small load means that other processes were running.
    loadAtStart: Number((os.loadavg()[0] ?? 0).toFixed(2)),
  };
}

/** The results as a table: one line each, with the cost of product and baseline below it. */
export function tableOf(results: readonly Result[]): string {
  const head = ['work', 'side', 'CPU/op', 'DB/op', 'ops/s', 'p50', 'p99', 'RSS', 'ratio', 'goal'];
  const lines = results.flatMap((result) => {
    const [low, high] = result.spread.map((one) => one.toFixed(2));
    return [
      [
        result.work,
        'Landfall',
        ...cells(result.product),
        `${result.ratio.toFixed(2)} (${low}–${high})`,
        `${goalText(result.goal)} ${meetsGoal(result) ? '✓' : '✗ MISSED'}`,
      ],
      ['', result.baseline, ...cells(result.baselineCost), result.compares, ''],
    ];
  });
  const rows = [head, ...lines];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cells(side: Measurement): string[] {
  return [
    `${side.cpuPerOperationUs.toFixed(0)} µs`,
    side.databaseCpuPerOperationUs === undefined ? '–' : `${side.databaseCpuPerOperationUs.toFixed(0)} µs`,
    side.operationsPerS.toFixed(0),
    `${side.p50Ms.toFixed(1)} ms`,
    `${side.p99Ms.toFixed(1)} ms`,
    `${side.rssMb.toFixed(0)} MB`,
  ];
}

function goalText(goal: Goal): string {
  return 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
}
