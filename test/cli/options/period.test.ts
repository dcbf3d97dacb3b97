import { expect, test } from 'vitest'
import { COMMANDS, type CommandName, commandNamed } from '../../../src/cli/commands.ts'
import { issue } from '../../support/archives.ts'
import { tarOf } from '../../support/build-tar.ts'
import { recordFile } from '../../support/load.ts'
import { inFolder, run } from '../../support/run-command.ts'
import { everyDay } from '../../support/thorough.ts'

const TIMES = [
  '2021-01-15T00:00:00Z',
  '2021-01-15T12:00:00Z',
  '2021-01-15T23:59:59Z',
  '2021-01-16T00:00:00Z',
]
const ARCHIVE = tarOf(
  recordFile('issues', ...TIMES.map((created_at, i) => issue(i + 1, 'Kettle', { created_at }))),
)

/** Command lines that end with one that prints a line for each issue in a period. */
const LINES: Record<string, string[]> = {
  search: ['search it.tar kettle --csv --no-headers'],
  build: [
    'build it.tar -q -o out.tar.gz --allow-invalid --force',
    'query out.tar.gz SELECT+number+FROM+issues --csv --no-headers',
  ],
  map: [
    'map it.tar -q --rename acme/tools=acme/kit -o out.db --force',
    'query out.db SELECT+number+FROM+issues --csv --no-headers',
  ],
  redact: [
    'redact it.tar -q -o out.db --force',
    'query out.db SELECT+number+FROM+issues --csv --no-headers',
  ],
}

everyDay(1)(Object.keys(LINES))(
  '--until of %s includes the period that is its end',
  async (name) => {
    inFolder({ 'it.tar': ARCHIVE })
    const found: Record<string, number> = {}
    for (const until of [
      '2021-01-15',
      '2021-01',
      '2021-01-15T12:00:00Z',
      '2021-01-15T12:59:59+01:00',
    ]) {
      const [first, ...others] = (LINES[name] as string[]).map((line) => line.split(' '))
      let outcome = await run([...(first as string[]), `--until=${until}`])
      for (const line of others) outcome = await run(line.map((word) => word.replaceAll('+', ' ')))
      found[until] = outcome.stdout.split('\n').length - 1
    }
    expect(found).toEqual({
      '2021-01-15': 3,
      '2021-01': 4,
      '2021-01-15T12:00:00Z': 2,
      '2021-01-15T12:59:59+01:00': 1,
    })
  },
)

test('The help of every command with a period says so', async () => {
  const texts = new Set<string>()
  for (const name of Object.keys(COMMANDS) as CommandName[]) {
    const { until } = (await commandNamed(name)).options as Record<string, { describe?: string }>
    if (until) texts.add(until.describe ?? '')
  }
  expect(texts.size).toBeGreaterThan(0)
  for (const text of texts) expect(text).toContain('on or before this date')
})
