import { expect, test } from 'vitest'
import { ArchiveError } from '../../../src/base/errors.ts'
import { adviseBuild } from '../../../src/cli/reports/prepare-build.ts'

test('Two pieces of advice on a build are two sentences', () => {
  const missing = new ArchiveError('file-missing', 'there is no such file')
  const error = adviseBuild(missing, {}, { source: 'a.db', output: 'b.tar.gz', isFolder: false })
  const advice = 'leave files out: --no-files. See all faults with: marc check a.db'
  expect(error).toMatchObject({ advice: expect.stringContaining(advice) })
})
