import type { circumstances } from '../circumstances.ts';
import type { Exactness } from './exactness.ts';

/** Medians of one contestant in one scenario. */
export interface Figures {
  readonly cpuUs: number;
  /** Ratio of the processor time to that of nginx. */
  readonly ratio: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly firstByteMs: number;
  readonly peakMb: number;
  /** Of all rounds: failed and refused. */
  readonly failures: number;
  /** Processor time of each round, in microseconds. */
  readonly rounds: readonly number[];
}

export interface Row {
  readonly scenario: string;
  readonly unit: string;
  readonly figures: Readonly<Record<string, Figures>>;
}

export interface Report {
  readonly circumstances: ReturnType<typeof circumstances>;
  readonly rounds: number;
  readonly rows: readonly Row[];
  readonly exactness: Readonly<Record<string, Exactness>>;
}

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const head = (cells: readonly string[]): string[] => [line(cells), line(cells.map(() => '---'))];

const scenarioTable = ({ scenario, unit, figures }: Row): string[] => [
  `## ${scenario}`,
  '',
  ...head([
    `CPU µs per ${unit}`,
    'to nginx',
    'rounds',
    'per second',
    'p50 ms',
    'p99 ms',
    'first byte ms',
    'peak MB',
    'failed',
  ]),
  ...Object.entries(figures).map(([name, each]) =>
    line([
      `${name}: ${each.cpuUs.toFixed(1)}`,
      `**${each.ratio.toFixed(2)} ×**`,
      each.rounds.map((us) => us.toFixed(0)).join(', '),
      Math.round(each.perSecond),
      each.p50Ms.toFixed(1),
      each.p99Ms.toFixed(1),
      each.firstByteMs.toFixed(1),
      Math.round(each.peakMb),
      each.failures,
    ]),
  ),
  '',
];

const exactnessTable = (exactness: Report['exactness']): string[] => [
  '## Exactness',
  '',
  '1,000 calls, 64 at once, on a balance for 100.',
  '',
  ...head(['gateway', 'calls that got through', 'calls that were paid']),
  ...Object.entries(exactness).map(([name, { served, deducted }]) => line([name, served, deducted ?? 'see its books'])),
  '',
];

export const toMarkdown = ({ circumstances: about, rounds, rows, exactness }: Report): string =>
  [
    '# Relay cost beside nginx',
    '',
    `\`npm run bench\`. Everything on: token check, reservation, durable settlement before the last byte, log row and sums, metrics; SQLite.`,
    `The process under test has one core, and all its processes and threads count. Medians of ${rounds} rounds in turns, ${about.date}, commit`,
    `${about.commit}, Node ${about.node}, ${about.machine}, load average at the start ${about.loadAverage}. How: [performance](../../docs/performance.md).`,
    '',
    ...rows.flatMap(scenarioTable),
    ...exactnessTable(exactness),
  ].join('\n');

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const [labelWidth, barWidth, barHeight, gap] = [190, 420, 18, 8];

/** Bars of the processor time beside nginx, on a logarithmic scale: peers are a hundred times apart. */
export const toSvg = ({ rows }: Report): string => {
  const most = Math.max(...rows.flatMap(({ figures }) => Object.values(figures).map(({ ratio }) => ratio)), 2);
  const widthOf = (ratio: number): number => (Math.log(Math.max(1, ratio)) / Math.log(most)) * barWidth;
  let y = 0;
  const parts = rows.flatMap(({ scenario, figures }) => {
    y += 26;
    const title = `<text x="0" y="${y}" font-weight="600">${escape(scenario)}</text>`;
    const bars = Object.entries(figures).map(([name, { ratio }]) => {
      y += barHeight + gap;
      const width = Math.max(2, widthOf(ratio)).toFixed(0);
      const fill = name.startsWith('Weir') ? '#4656d6' : '#8a8f98';
      return `<text x="0" y="${y}">${escape(name)}</text><rect x="${labelWidth}" y="${y - barHeight + 4}" width="${width}" height="${barHeight}" fill="${fill}"/><text x="${labelWidth + Number(width) + 6}" y="${y}">${ratio.toFixed(1)} ×</text>`;
    });
    y += gap;
    return [title, ...bars];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${labelWidth + barWidth + 80} ${y + 10}" font-family="system-ui, sans-serif" font-size="13" fill="#4a4f57"><title>Processor time per call beside nginx, logarithmic</title>${parts.join('')}</svg>\n`;
};
