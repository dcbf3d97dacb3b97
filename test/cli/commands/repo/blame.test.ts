import { describe, expect, test } from 'vitest'
import { run, shareSamples } from '../../../support/run-command.ts'
import { everyDay } from '../../../support/thorough.ts'

shareSamples()

const TIDEWATCH = ['samples/organization.tar.gz', 'harbour-lights/tidewatch']
const blame = (...args: string[]) => run(['repo', 'blame', ...TIDEWATCH, ...args])

describe('marc repo blame', () => {
  test('shows commit, pull request, author, date and number of each line, and a review thread below its line', async () => {
    const { code, stdout } = await blame('tidewatch/chart.py', '-L', '7,+3')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `d7d9654 #2 (jun-hale 2022-02-11 7)     top = max(heights)
d7d9654 #2 (jun-hale 2022-02-11 8)     for height in heights:
d7d9654 #2 (jun-hale 2022-02-11 9)         yield "~" * round(WIDTH * max(height, 0) / top)
    > kofi-meadow on #2: What if the sea is all below zero?
`,
    })
    const { stdout: without } = await blame('tidewatch/chart.py', '--no-threads')
    expect(without).not.toContain('>')
  })

  test('prints rows with all of it as JSON', async () => {
    const { stdout } = await blame('tidewatch/chart.py', '-L9,9', '--json', '--rev', 'v1.0.0')
    const [row, ...others] = JSON.parse(stdout)
    expect(others).toEqual([])
    expect(row).toMatchObject({
      line: 9,
      original_line: 9,
      path: 'tidewatch/chart.py',
      author_name: 'jun-hale',
      pull_request: 2,
      found_by: 'branch',
      is_boundary: 0,
      text: '        yield "~" * round(WIDTH * max(height, 0) / top)',
    })
    expect(JSON.parse(row.threads)).toEqual([
      expect.objectContaining({ number: 2, user_login: 'kofi-meadow', resolved_at: null }),
    ])
  })

  everyDay(1)([
    [['tidewatch'], 'found a folder'],
    [['none.py'], 'found nothing'],
    [['tidewatch/chart.py', '-L', '99'], 'has only 9 lines'],
    [['tidewatch/chart.py', '--json', '--csv'], 'expected one format'],
    [['tidewatch/chart.py', '--rev', 'none'], 'no such ref'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await blame(...args)
    expect({ code, stdout }).toEqual({ code: expect.toSatisfy((it) => it > 0), stdout: '' })
    expect(stderr).toContain(message)
  })
})
