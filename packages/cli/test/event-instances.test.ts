import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { storeBuffering } from './programs.js';

/** A program of clicks that lose an update if there are two of them. */
const clicks = `program Clicks
var total
event click() { async[any] add(); }
event idle() { skip; }
procedure add() { local r; r = total; total = r + 1; }
events click() *, idle()
`;

const files = { 'clicks.fw': clicks, 'sb.fw': storeBuffering };

interface Result {
  readonly verdict: string;
  readonly copies: unknown;
}

describe('--copies', () => {
  test('looks at these numbers only, and says so', async () => {
    const cwd = await folderWith(files);
    const args = ['check', 'clicks.fw', '--against', 'concurrency', '--copies', 'click=0..2'];
    const run = await fencewright(args, { cwd });
    expect(run.code).toBe(10);
    for (const heading of [
      'With 0 instances of click; nothing is said about other numbers.\n',
      'With 1 instance of click; nothing is said about other numbers.\n',
      'With 2 instances of click; nothing is said about other numbers.\n',
    ])
      expect(run.stdout).toContain(heading);
    const json = await fencewright([...args, '--json'], { cwd });
    const { results } = JSON.parse(json.stdout) as { results: Result[] };
    expect(results.map(({ verdict, copies }) => [verdict, copies])).toEqual([
      ['robust', { click: 0 }],
      ['robust', { click: 1 }],
      ['not-robust', { click: 2 }],
    ]);
  });

  test('is for events of the program: there is the nearest name', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['check', 'clicks.fw', '--copies', 'clik=2'], { cwd });
    expect(run).toMatchObject({ code: 65, stdout: '' });
    expect(run.stderr).toContain("no event is named 'clik'");
    expect(run.stderr).toContain("'click'");
  });

  test.each([
    [['clicks.fw', '--threads', 'click=2'], '--threads does not apply to programs of events'],
    [['clicks.fw', '--threads', 't=2'], '--threads does not apply to programs of events'],
    [['sb.fw', '--instances', 'left=2'], '--instances does not apply to programs of threads'],
    [['sb.fw', '--instances', 'e=2'], '--instances does not apply to programs of threads'],
  ])('is for programs of events, as --threads for those of threads: %j', async (args, message) => {
    const cwd = await folderWith(files);
    const run = await fencewright(['check', ...args], { cwd });
    expect(run).toMatchObject({ code: 64, stdout: '' });
    expect(run.stderr).toContain(message);
    expect(run.stderr).not.toContain('is named');
  });
});
