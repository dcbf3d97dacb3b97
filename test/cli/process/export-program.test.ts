import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { issue, smallArchive } from '../../support/archives.ts'
import { inFolder, run } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

const archives = {
  'one.tar.gz': smallArchive({ 'issues_000001.json': [issue(1, 'One')] }),
  'two.tar.gz': smallArchive({ 'issues_000001.json': [issue(2, 'Two')] }),
}

test(
  'marc export --jobs writes in several processes what one writes, and reports what failed',
  THOROUGH,
  async () => {
    inFolder({ ...archives, 'bad.tar.gz': 'nothing' })
    const sources = ['one.tar.gz', 'bad.tar.gz', 'two.tar.gz']
    const { code, stdout, stderr } = await run([
      'export',
      ...sources,
      '--ndjson',
      'lake',
      '--jobs',
      '2',
      '--json',
      '--no-derived',
    ])
    expect(code).toBe(1)
    const names = JSON.parse(stdout).partitions.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['one', 'two'])
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'not-an-archive',
      place: { archive: 'bad.tar.gz' },
    })
    await run(['export', 'one.tar.gz', 'two.tar.gz', '--ndjson', 'alone', '--no-derived'])
    for (const name of ['one', 'two']) {
      const path = `_marc/archives/${name}.json`
      expect(readFileSync(`lake/${path}`, 'utf8')).toBe(readFileSync(`alone/${path}`, 'utf8'))
    }
  },
)
