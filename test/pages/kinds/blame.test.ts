import { describe, expect, test } from 'vitest'
import { ArchiveError } from '../../../src/base/errors.ts'
import { openPages } from '../../../src/pages/open-pages.ts'
import '../../../src/tasks/blame-runs.ts'
import '../../../src/pages/kinds/git/blame.ts'
import { blameFile } from '../../../src/tasks/run-task.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { htmlOf, sharePages } from '../../support/web.ts'

const TEA = '/mona-lindqvist/tea-timer'
const samples = sharePages()
const { ask } = samples

/** The runs of lines of a page: how many, the commit, the pull request. */
const runsOf = (html: string) =>
  [...html.matchAll(/<td class="by" rowspan="(\d+)">(.*?)<\/td>/gs)].map(([, count, cell = '']) => [
    Number(count),
    /<code>(\w+)<\/code>/.exec(cell)?.[1],
    /<a href="([^"]*\/pull\/\d+)"/.exec(cell)?.[1],
  ])

describe('The page of blame', () => {
  test('names the commit and the pull request of each line, as the command does', async () => {
    const html = htmlOf(await ask(`${TEA}/blame/main/src/timer.js`))
    expect(runsOf(html)).toEqual([
      [2, '05f2fd2', undefined],
      [2, '2ef7657', `${TEA}/pull/5`],
      [2, '05f2fd2', undefined],
      [5, '2ef7657', `${TEA}/pull/5`],
      [1, 'c2f9f26', `${TEA}/pull/5`],
      [1, '2ef7657', `${TEA}/pull/5`],
      [1, '05f2fd2', undefined],
    ])
    expect(html.match(/<tr id="L\d+">/g)?.length).toBe(14)
    expect(html).toContain('Lines of 3 commits')
  })

  test('is linked from the file, and leads back to it', async () => {
    const blob = `${TEA}/blob/main/src/timer.js`
    expect(htmlOf(await ask(blob))).toContain(
      `<a href="${TEA}/blame/main/src/timer.js" data-lines>`,
    )
    expect(htmlOf(await ask(`${TEA}/blame/main/src/timer.js`))).toContain(
      `<a href="${blob}" data-lines>`,
    )
  })

  test('of a folder is the folder, and of nothing is not there', async () => {
    expect(await ask(`${TEA}/blame/main/src`)).toMatchObject({ location: `${TEA}/tree/main/src` })
    expect(await ask(`${TEA}/blame/main/none.js`)).toMatchObject({ status: 404 })
    expect(await ask(`${TEA}/blame/main`)).toMatchObject({ status: 404 })
  })

  test('says why lines could not be followed', async () => {
    const blame = async () => ({ message: 'the blame was not finished after 10 s' })
    const pages = openPages(samples.paths, { blame })
    const found = await pages.render(`${TEA}/blame/main/src/timer.js`, new URLSearchParams())
    expect(htmlOf(found)).toContain('not finished after 10 s.')
    pages.close()
  })

  test('is made in a process that a limit ends', THOROUGH, async () => {
    const question = {
      repository: 'mona-lindqvist/tea-timer',
      rev: 'main',
      file: 'src/timer.js',
      lines: 10_000,
    }
    const path = samples.paths[0] as string
    expect((await blameFile(path, question)).length).toBe(7)
    const ended = blameFile(path, question, { seconds: 0.01, bytes: 2 ** 30 })
    await expect(ended).rejects.toThrow(ArchiveError)
  })
})
