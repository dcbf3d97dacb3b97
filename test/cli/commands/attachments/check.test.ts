import { expect, test } from 'vitest'
import { tarGzOf } from '../../../support/build-tar.ts'
import { besideSamples, inFolder, run } from '../../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'
import { archiveOf, attachment, png, REPOSITORY } from '../../../support/uploads.ts'

const check = (...options: string[]) => run(['attachments', 'check', 'a.tar.gz', ...options])

/** Codes of the findings, with the number of faults. */
async function codesIn(files: Parameters<typeof tarGzOf>[0]) {
  inFolder({ 'a.tar.gz': tarGzOf(files) })
  const { code, stdout } = await check('--format', 'json')
  const { findings } = JSON.parse(stdout) as { findings: { code: string; count: number }[] }
  expect(code).toBe(findings.length > 0 ? 1 : 0)
  return Object.fromEntries(findings.map(({ code, count }) => [code, count]))
}

everyDay(1)(['hello', 'organization'])('finds nothing in %s', async (name) => {
  besideSamples()
  const { code, stdout, stderr } = await run(['attachments', 'check', `samples/${name}.tar.gz`])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toBe(
    `${name}.tar.gz has all uploads, and none is damaged: no errors, no warnings in 8 checks\n`,
  )
})

test(
  'A3: finds uploads that are missing, orphaned, empty, or of another size or type',
  THOROUGH,
  async () => {
    expect(
      await codesIn({
        ...archiveOf({
          1: [png()],
          2: [''],
          3: [png(), { size: 7 }],
          4: ['no picture'],
          5: [png(), { size: 8 }],
        }),
        'attachments_000002.json': [attachment('6'), attachment('7')],
        'attachments/8/b.png': png(),
      }),
    ).toEqual({
      'file-missing': 2,
      'file-orphan': 1,
      'file-empty': 1,
      'file-size': 1,
      'file-type': 1,
    })
  },
)

test('A1, A2: finds paths that lead out of the archive', THOROUGH, async () => {
  const addresses = ['tarball://root/../../etc/passwd', 'https://H/a.png', '/etc/passwd']
  const records = addresses.map((asset_url, i) => attachment(String(i), { asset_url }))
  expect(await codesIn({ 'attachments_000001.json': records })).toEqual({
    'tarball-escape': 1,
    'tarball-form': 2,
  })
})

test('A5: finds scripts that claim to be images', THOROUGH, async () => {
  const files = archiveOf({
    1: ['<!DOCTYPE html><script>alert(1)</script>'],
    2: ['<svg onload="alert(1)"/>'],
  })
  inFolder({ 'a.tar.gz': tarGzOf(files) })
  const { stdout } = await check()
  expect(stdout).toContain('the record says "image/png", the content looks like text/html')
  expect(stdout).toContain('the record says "image/png", the content looks like image/svg+xml')
})

test('finds links to uploads that the archive lacks', THOROUGH, async () => {
  const { url } = attachment('1')
  const issue = {
    type: 'issue',
    url: `${REPOSITORY}/issues/1`,
    body: `![](${url}) ![](${url}2) and https://H/o/r/files/9/x.txt`,
  }
  inFolder({
    'a.tar.gz': tarGzOf({ ...archiveOf({ 1: [png()] }), 'issues_000001.json': [issue] }),
  })
  const { code, stdout } = await check()
  expect(code).toBe(1)
  expect(stdout).toContain('note     upload-link × 2\n')
  const listed = await check('--format', 'json')
  expect(JSON.parse(listed.stdout).findings[0].places[0]).toMatchObject({
    message: `the text links to ${url}2`,
    url: issue.url,
    entry: 'issues_000001.json',
    record: 1,
  })
  expect(stdout).toMatch(
    /^a\.tar\.gz has missing or damaged uploads: no errors, no warnings, 2 notes/m,
  )
})

test('skips contents that were not loaded', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': tarGzOf(archiveOf({ 1: ['no picture'] })) })
  await run(['load', 'a.tar.gz', '--no-files'])
  expect(await run(['attachments', 'check', 'a.db'])).toMatchObject({ code: 0 })
})

everyDay(1)(['markdown', 'sarif'])('writes %s', async (format) => {
  inFolder({ 'a.tar.gz': tarGzOf(archiveOf({ 1: ['no picture'] })) })
  const { code, stdout } = await check('--format', format)
  expect(code).toBe(1)
  expect(stdout).toContain('file-type')
})
